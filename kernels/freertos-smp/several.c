// SPDX-License-Identifier: MIT
//
// The services of the contract (bench/port.h) for several nodes; kernels/freertos/port.c has the
// others. A channel is a message buffer, which the kernel's manual recommends between cores.
#include <bench/port.h>
#include <freertos_api.h>

enum { MAX_CHANNELS = 4 };

extern volatile uint64_t smp_window[]; // layout.ld

uint32_t bench_node_self(void) {
    return (uint32_t)portGET_CORE_ID();
}

volatile void *bench_shared_memory(void) {
    return smp_window;
}

#if !SMP_LOCAL_STACKS

// The kernel's function has no result. The caller continues on a core on which it may run.
enum bench_status bench_task_migrate(uint32_t node) {
    vTaskCoreAffinitySet(NULL, 1u << node);
    return BENCH_OK;
}

#endif

// --- Idle ----------------------------------------------------------------------------------------
// The kernel's manual recommends to sleep in these hooks. Any interrupt ends the sleep.

void vApplicationIdleHook(void);
void vApplicationIdleHook(void) {
    __asm__ volatile("wfi");
}

void vApplicationPassiveIdleHook(void);
void vApplicationPassiveIdleHook(void) {
    __asm__ volatile("wfi");
}

// --- Channels ------------------------------------------------------------------------------------

static MessageBufferHandle_t channels[MAX_CHANNELS];

enum bench_status bench_channel_send(struct bench_channel channel, const uint32_t *words,
                                     uint32_t count) {
    const size_t bytes = count * sizeof *words;
    const size_t sent = xMessageBufferSend(channels[channel.index], words, bytes, portMAX_DELAY);
    return sent == bytes ? BENCH_OK : BENCH_REFUSED;
}

enum bench_status bench_channel_receive(struct bench_channel channel, uint32_t *words,
                                        uint32_t count) {
    const size_t bytes = count * sizeof *words;
    const size_t came = xMessageBufferReceive(channels[channel.index], words, bytes, portMAX_DELAY);
    return came == bytes ? BENCH_OK : BENCH_REFUSED;
}

void several_create(void);
void several_create(void) {
    BENCH_REQUIRE(bench_scenario.channel_count <= MAX_CHANNELS, "port: too many channels declared");
    for (size_t i = 0; i < bench_scenario.channel_count; i++) {
        const struct bench_channel_declaration *declared = &bench_scenario.channels[i];
        // The kernel keeps the length of each message, a size_t, in the buffer.
        const size_t message = declared->words * sizeof(uint32_t) + sizeof(size_t);
        channels[i] = xMessageBufferCreate(declared->places * message);
        BENCH_REQUIRE(channels[i] != NULL, "port: no memory for a channel");
    }
}
