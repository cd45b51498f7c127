// SPDX-License-Identifier: MIT
//
// Cases for waits.c; waits_cases.h says how to read them.
#include "waits_cases.h"

enum { A, B, C, D, E, F, G };

const struct waits_case waits_cases[] = {
    // --- Waiters of a semaphore
    {"xa v", "mxa at mv", {[A] = "t"}},
    {"xa xb v v", "mxa mxb at mv bt mv", {[A] = "t", [B] = "t"}},
    {"xa xb v z v", "mxa mxb at mv mz bt mv", {[A] = "t", [B] = "t"}},
    {"xa xb xc v v v", "mxa mxb mxc at mv bt mv ct mv", {[A] = "t", [B] = "t", [C] = "t"}},
    {"xa xd v v", "mxa mxd at mv dt mv", {[A] = "t", [D] = "t"}},
    {"xd xa v v", "mxd mxa at mv dt mv", {[A] = "t", [D] = "t"}},
    {"xa xd xb v v v", "mxa mxd mxb at mv bt mv dt mv", {[A] = "t", [B] = "t", [D] = "t"}},
    {"xd xa xb v v v", "mxd mxa mxb at mv bt mv dt mv", {[A] = "t", [B] = "t", [D] = "t"}},
    {"xa v xa v", "mxa at mv mxa at mv", {[A] = "t"}},
    {"v v xa p", "mv mv at mxa mp", {[A] = "t"}},
    {"xa p v", "mxa mp- at mv", {[A] = "t"}},
    {"xa xb v p", "mxa bp- mxb at mv mp-", {[A] = "t", [B] = "p"}},

    // --- Waiters with a timeout
    {"xa v z na", "mxa aT mv mz aw mna", {[A] = "Tw"}},
    {"xa z v p", "mxa aT- mz mv mp", {[A] = "T"}},
    {"xa z p", "mxa aT- mz mp-", {[A] = "T"}},
    {"xa z v", "mxa aT- mz at mv", {[A] = "Tt"}},
    {"xa xb v v z", "mxa mxb aT mv bt mv mz", {[A] = "T", [B] = "t"}},
    {"xa xb z v", "mxa mxb aT- mz bt mv", {[A] = "T", [B] = "t"}},
    {"xa xb v v z", "mxa mxb at mv bT mv mz", {[A] = "t", [B] = "T"}},
    {"xa xb z v p", "mxa mxb bT- mz at mv mp-", {[A] = "t", [B] = "T"}},
    {"xa xd z v p", "mxa mxd dT- mz at mv mp-", {[A] = "t", [D] = "T"}},
    {"xd xa z v p", "mxd mxa aT- mz dt mv mp-", {[A] = "T", [D] = "t"}},

    // --- Suspended waiters
    {"xa sa v p ra", "mxa msa mv mp- at mra", {[A] = "t"}},
    {"xa sa ra v", "mxa msa mra at mv", {[A] = "t"}},
    {"xa ra v", "mxa mra! at mv", {[A] = "t"}},
    {"xa sa v z ra", "mxa msa mv mz aT mra", {[A] = "T"}},
    {"xa sa z ra", "mxa msa mz aT- mra", {[A] = "T"}},
    {"xa xb sa v v ra", "mxa mxb msa mv bt mv at mra", {[A] = "t", [B] = "t"}},
    {"xa xb sb v v rb", "mxa mxb msb at mv mv bt mrb", {[A] = "t", [B] = "t"}},
    {"xa xd sa v v ra", "mxa mxd msa mv dt mv at mra", {[A] = "t", [D] = "t"}},
    {"xf z sf v rf z", "mxf mz msf mv mrf ft mz", {[F] = "t"}},

    // --- Notifications
    {"xa na", "mxa aw mna", {[A] = "w"}},
    {"xa na z na", "mxa aW mna mz aw mna", {[A] = "Ww"}},
    {"xa z na", "mxa aW- mz aw aq- mna", {[A] = "Wwq"}},
    {"xa na ra", "mxa mna asa aw aq- mra", {[A] = "sa w q"}},
    {"xa na na ra", "mxa mna mna asa aw aq aq- mra", {[A] = "sa w q q"}},
    {"xa sa na ra", "mxa msa mna aw mra", {[A] = "w"}},
    {"xa sa na na ra", "mxa msa mna mna aw aq aq- mra", {[A] = "w q q"}},
    {"xa sa z ra", "mxa msa mz aW- mra", {[A] = "W"}},
    {"xa sa na z ra", "mxa msa mna mz aW aq- mra", {[A] = "W q"}},
    {"xa na v", "mxa mna at aq mv", {[A] = "t q"}},
    {"xa na z", "mxa mna az aq mz", {[A] = "z q"}},
    {"nm w q", "mnm mw mq-", {0}},
    {"nm nm W q W", "mnm mnm mW mq mW-", {0}},

    // --- Suspension
    {"xa ra", "mxa asa mra", {[A] = "sa"}},
    {"xa ra ra", "mxa asa mra asa mra", {[A] = "sa sa"}},
    {"xf z rf rf z", "mxf mz mrf mrf! fsf mz", {[F] = "sf"}},
    {"xa sa ra z", "mxa msa mra az mz", {[A] = "z"}},

    // --- A thread of equal or lower priority is woken
    {"xe z v z", "mxe mz mv et mz", {[E] = "t"}},
    {"xe z ne z", "mxe mz mne ew mz", {[E] = "w"}},
    {"xe z re z", "mxe mz mre ese mz", {[E] = "se"}},
    {"xf z v z", "mxf mz mv ft mz", {[F] = "t"}},
    {"xf z nf z", "mxf mz mnf fw mz", {[F] = "w"}},
    {"xf z rf z", "mxf mz mrf fsf mz", {[F] = "sf"}},
    {"xf xg z v v z", "mxf mxg mz mv mv ft gt mz", {[F] = "t", [G] = "t"}},
    {"xf xg z ng nf z", "mxf mxg mz mng mnf gw fw mz", {[F] = "w", [G] = "w"}},
    {"xf xg z rf rg z", "mxf mxg mz mrf mrg fsf gsg mz", {[F] = "sf", [G] = "sg"}},
    {"xf xg z v ng z", "mxf mxg mz mv mng ft gw mz", {[F] = "t", [G] = "w"}},
    {"xf z xe v z", "mxf mz mxe mv ey ft mz", {[E] = "y", [F] = "t"}},
    {"xf z xa v v z", "mxf mz mxa at mv mv ft mz", {[A] = "t", [F] = "t"}},
    {"xb xa", "mxb av bt mxa", {[A] = "v", [B] = "t"}},
    {"xb xa", "mxb anb bw mxa", {[A] = "nb", [B] = "w"}},
    {"xb xa", "mxb arb bsb mxa", {[A] = "rb", [B] = "sb"}},
    {"xd xa", "mxd av dt mxa", {[A] = "v", [D] = "t"}},
    {"xd xa", "mxd and aq- dw mxa", {[A] = "ndq", [D] = "w"}},
    {"xd xa", "mxd ard dsd mxa", {[A] = "rd", [D] = "sd"}},
    {"xe z xa z", "mxe mz av mxa et mz", {[A] = "v", [E] = "t"}},
    {"xf z xa z", "mxf mz anf mxa fw mz", {[A] = "nf", [F] = "w"}},

    // --- A thread of higher priority is woken by one that is not the lowest
    {"xa xd", "mxa at dv mxd", {[A] = "t", [D] = "v"}},
    {"xa xd", "mxa aw dna mxd", {[A] = "w", [D] = "na"}},
    {"xa xd", "mxa asa dra mxd", {[A] = "sa", [D] = "ra"}},

    // --- A thread blocks while equals of it are ready
    {"xa ra v nc", "axb axc mxa asa mra bt mv cw mnc", {[A] = "xb xc sa", [B] = "t", [C] = "w"}},
    {"xa v nb rc", "axb axc mxa at mv bw mnb csc mrc", {[A] = "xb xc t", [B] = "w", [C] = "sc"}},
    {"xa na rb v", "axb axc mxa aw mna bsb mrb ct mv", {[A] = "xb xc w", [B] = "sb", [C] = "t"}},
    {"xa v v v",
     "axb axc ay by cy mxa at mv bt mv ct mv",
     {[A] = "xb xc y t", [B] = "y t", [C] = "y t"}},
    {"xa z", "axb by mxa aT- mz", {[A] = "xb T", [B] = "y"}},
    {"xa z", "axb by mxa aW- mz", {[A] = "xb W", [B] = "y"}},
    {"xa v nc ra",
     "axb axc ay mxa bt mv cw mnc asa mra",
     {[A] = "xb xc y sa", [B] = "t", [C] = "w"}},
    {"xa na", "axb axc ay av cy bt cy mxa aw mna", {[A] = "xb xc y v w", [B] = "t", [C] = "y y"}},
    {"xa na", "axb axc ay anb cy bw cy mxa aw mna", {[A] = "xb xc y nb w", [B] = "w", [C] = "y y"}},
    {"xa na",
     "axb axc ay arb cy bsb cy mxa aw mna",
     {[A] = "xb xc y rb w", [B] = "sb", [C] = "y y"}},
    {"xe t z", "mxe ev mt mz", {[E] = "v"}},
    {"xe w z", "mxe enm mw mz", {[E] = "nm"}},

    // --- A mutex that a thread waits for is unlocked
    {"l xa u", "ml mxa al au mu", {[A] = "l u"}},
    {"l xe y u z", "ml mxe my mu el eu mz", {[E] = "l u"}},
    {"l xa xb u", "ml mxa mxb bq- al au mu", {[A] = "l u", [B] = "q"}},
    {"l xa sa u ra", "ml mxa msa mu al au mra", {[A] = "l u"}},
    {"l xa xc y u", "ml mxa mxc my al au cl cu mu", {[A] = "l u", [C] = "l u"}},
    {"l xd xa u", "ml mxd mxa al au dl du mu", {[A] = "l u", [D] = "l u"}},
    {"l xa xe u y z", "ml mxa mxe al au eq- mu my mz", {[A] = "l u", [E] = "q"}},
    {"l xa u", "ml axb mxa by al au mu", {[A] = "xb l u", [B] = "y"}},
    {"l xf t u z", "ml mxf fxa mt al au mu fv mz", {[A] = "l u", [F] = "xa v"}},
};

const uint32_t waits_case_count = sizeof waits_cases / sizeof *waits_cases;
