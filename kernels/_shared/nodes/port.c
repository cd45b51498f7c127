// SPDX-License-Identifier: MIT
//
// The porting contract (bench/port.h) on Bulkhead on several nodes, for its three schedulers.
//
// Every node boots this image and builds the same table of tasks from the scenario's declaration.
// The table has first one task for each node, which prepares the node and exits, then the
// scenario's tasks. The tasks of a node share its variables, and each has its own stack.
#include <arch/console.h>
#include <arch/interrupt.h>
#include <arch/machine.h>
#include <arch/privilege.h>
#include <bench/port.h>
#include <bulkhead/nodes_bus.h>
#include <bulkhead/nodes_ring.h>

#define TICK_CYCLES (BENCH_TIMER_HZ / BENCH_TICK_HZ)
#define STACK_BYTES 1024
#define FIRST_TASK NODES_MAX // index of the scenario's first task in the table

// In the contract, 1 is the highest priority.
#define PRIORITY(priority) ((uint8_t)(NODES_PRIORITY_HIGHEST + 1 - (priority)))

// Semaphores are used in this order: the scenario's, two for each channel, one for the start. The
// bus uses the rest.
#define BOOT_SEMAPHORE (NODES_QUEUE_MESSAGES(NODES_QUEUES - 1) - 1)
#define CHANNELS_MAX 4

// OF_TASKS places a variable in the tasks' memory. All other variables here are the kernel's.
// If this file is inlined into the scenario (BENCH_INLINING), OF_KERNEL places them in its memory.
#define OF_TASKS __attribute__((section(".tasks")))
#ifdef BENCH_INLINING
#define OF_KERNEL __attribute__((section(".kernel_bss")))
#else
#define OF_KERNEL
#endif

// --- Tasks ---------------------------------------------------------------------------------------

enum bench_status bench_task_create(struct bench_task task) {
    return nodes_create(FIRST_TASK + task.index) == NODES_OK ? BENCH_OK : BENCH_REFUSED;
}

_Noreturn void bench_task_exit(void) {
    nodes_exit();
}

void bench_task_yield(void) {
    nodes_yield();
}

struct bench_task bench_task_self(void) {
    return (struct bench_task){nodes_task_self() - FIRST_TASK};
}

uint32_t bench_node_self(void) {
    return nodes_self;
}

// --- Semaphores ----------------------------------------------------------------------------------
// The kernel has no timeouts.

enum bench_status bench_semaphore_take(struct bench_semaphore semaphore, uint32_t timeout_ticks) {
    if (timeout_ticks != BENCH_FOREVER) {
        return BENCH_UNSUPPORTED;
    }
    return nodes_take(semaphore.index) == NODES_OK ? BENCH_OK : BENCH_REFUSED;
}

enum bench_status bench_semaphore_give(struct bench_semaphore semaphore) {
    return nodes_give(semaphore.index) == NODES_OK ? BENCH_OK : BENCH_REFUSED;
}

// --- Shared memory, channels and the bus ---------------------------------------------------------
// The window contains the messages of the bus, the scenario's memory and the channels' rings.

volatile void *bench_shared_memory(void) {
    return (volatile void *)NODES_WINDOW_FREE;
}

// The sending and the receiving end of each channel.
OF_TASKS static struct nodes_ring senders[CHANNELS_MAX], receivers[CHANNELS_MAX];

enum bench_status bench_channel_send(struct bench_channel channel, const uint32_t *words,
                                     uint32_t count) {
    nodes_ring_send(&senders[channel.index], words, count);
    return BENCH_OK;
}

enum bench_status bench_channel_receive(struct bench_channel channel, uint32_t *words,
                                        uint32_t count) {
    nodes_ring_receive(&receivers[channel.index], words, count);
    return BENCH_OK;
}

enum bench_status bench_bus_send(struct bench_bus bus, const void *message, uint32_t bytes,
                                 uint32_t priority) {
    return nodes_bus_send(bus.index, message, bytes, PRIORITY(priority)) == NODES_OK
               ? BENCH_OK
               : BENCH_REFUSED;
}

enum bench_status bench_bus_receive(struct bench_bus bus, void *message, uint32_t *bytes) {
    return nodes_bus_receive(bus.index, message, bytes) == NODES_OK ? BENCH_OK : BENCH_REFUSED;
}

// --- Console and end -----------------------------------------------------------------------------
// A task cannot access the console. It asks the kernel, which calls serve_request below. A request
// is a character, or REQUEST_END and a status. It is no pointer, because the kernel would read the
// pointer with its own rights.

#define REQUEST_END 0x10000u
#define REQUEST_STATUS(request) ((request) & 0xffff)

void arch_console_write(const char *text) {
    while (*text != '\0') {
        nodes_request((uint8_t)*text++);
    }
}

_Noreturn void arch_exit(int status) {
    for (;;) {
        nodes_request(REQUEST_END | REQUEST_STATUS((uint32_t)status));
    }
}

static void write(const char *text) {
    while (*text != '\0') {
        ARCH_BYTE(ARCH_UART_THR) = (uint8_t)*text++;
    }
}

// Writes the value that a SiFive test device expects.
_Noreturn static void end_run(uint32_t status) {
    ARCH_WORD(ARCH_FINISHER) = status == 0 ? 0x5555u : status << 16 | 0x3333u;
    for (;;) {
    }
}

// Serves a request of arch_console_write or arch_exit. Runs in machine mode, as all functions that
// the kernel calls.
static uint32_t serve_request(uint32_t request) {
    if (request & REQUEST_END) {
        end_run(REQUEST_STATUS(request));
    }
    ARCH_BYTE(ARCH_UART_THR) = (uint8_t)request;
    return 0;
}

// No scenario for several nodes provokes a fault.
static void report_fault(uint32_t task, uint32_t cause, uint32_t pc) {
    (void)task;
    (void)cause;
    (void)pc;
    write("\nticklab: fail: a task faulted\n");
    end_run(1);
}

static void report_stop(const char *reason) {
    write("\nticklab: fail: ");
    write(reason);
    write("\n");
    end_run(1);
}

// Does nothing: tasks cannot mask interrupts, and each node has its own console.
void arch_interrupts_off(void) {
}

// --- Start ---------------------------------------------------------------------------------------

static uint8_t stacks[NODES_MAX_TASKS][STACK_BYTES]
    __attribute__((aligned(STACK_BYTES), section(".stack")));
OF_KERNEL static struct nodes_task tasks[NODES_MAX_TASKS];
OF_KERNEL static struct nodes_system declared;

// Defined by the linker script: the tasks' variables.
extern uint8_t tasks_data[], tasks_data_bytes[];

// Prepares this node's ends of all channels. Returns the end address of the rings.
static uint32_t prepare_channels(void) {
    uint32_t memory = NODES_WINDOW_FREE + BENCH_SHARED_BYTES;
    for (uint32_t i = 0; i < bench_scenario.channel_count; i++) {
        const struct bench_channel_declaration *channel = &bench_scenario.channels[i];
        const uint32_t filled = bench_scenario.semaphore_count + 2 * i;
        senders[i] = receivers[i] = nodes_ring((volatile uint32_t *)memory, channel->places,
                                               channel->words, filled, filled + 1);
        memory += 4u * channel->places * channel->words;
    }
    return memory;
}

static void require_room(uint32_t rings_end) {
    const uint32_t semaphores = bench_scenario.semaphore_count + 2 * bench_scenario.channel_count;
    BENCH_REQUIRE(rings_end <= NODES_WINDOW + NODES_WINDOW_BYTES,
                  "port: the channels do not fit into the window");
    BENCH_REQUIRE(semaphores <= BOOT_SEMAPHORE && bench_scenario.channel_count <= CHANNELS_MAX,
                  "port: too many semaphores or channels");
    BENCH_REQUIRE(bench_scenario.bus_count <= NODES_QUEUES, "port: too many buses");
}

static void create_semaphores(void) {
    for (uint32_t i = 0; i < bench_scenario.semaphore_count; i++) {
        BENCH_REQUIRE(nodes_semaphore_init(i, bench_scenario.semaphores[i].initial) == NODES_OK,
                      "port: the kernel refused a semaphore's initial count");
    }
}

static void create_channels_and_buses(void) {
    for (uint32_t i = 0; i < bench_scenario.channel_count; i++) {
        BENCH_REQUIRE(nodes_semaphore_init(senders[i].space, NODES_RING_SPACE) == NODES_OK,
                      "port: the kernel refused the size of a channel");
    }
    for (uint32_t i = 0; i < bench_scenario.bus_count; i++) {
        BENCH_REQUIRE(nodes_queue_init(i, bench_scenario.buses[i].places) == NODES_OK,
                      "port: the kernel refused the size of a bus");
    }
}

// Synchronises the nodes: node 0 creates the shared objects, and the others wait for it.
static void synchronise_nodes(void) {
    if (nodes_self != 0) {
        nodes_take(BOOT_SEMAPHORE);
        return;
    }
    create_semaphores();
    create_channels_and_buses();
    for (uint32_t node = 1; node < nodes_count; node++) {
        nodes_give(BOOT_SEMAPHORE);
    }
}

// The first task of each node. It has the highest priority, so it creates all of the node's tasks
// before any of them runs.
static void prepare_node(void) {
    require_room(prepare_channels());
    synchronise_nodes();
    for (uint32_t i = 0; i < bench_scenario.task_count; i++) {
        const struct bench_task_declaration *task = &bench_scenario.tasks[i];
        if (task->node == nodes_self && task->initially == BENCH_READY) {
            BENCH_REQUIRE(nodes_create(FIRST_TASK + i) == NODES_OK,
                          "port: the kernel refused a task");
        }
    }
}

static struct nodes_task declare(uint32_t index, void (*entry)(void), uint8_t priority,
                                 uint8_t node) {
    return (struct nodes_task){
        .entry = entry,
        .stack = stacks[index],
        .stack_bytes = STACK_BYTES,
        .data = tasks_data,
        .data_bytes = (uint32_t)tasks_data_bytes,
        .priority = priority,
        .node = node,
    };
}

_Noreturn void bench_port_start(void) {
    for (uint8_t node = 0; node < NODES_MAX; node++) {
        tasks[node] = declare(node, prepare_node, NODES_PRIORITY_HIGHEST, node);
    }
    for (uint32_t i = 0; i < bench_scenario.task_count; i++) {
        const struct bench_task_declaration *task = &bench_scenario.tasks[i];
        tasks[FIRST_TASK + i] =
            declare(FIRST_TASK + i, task->entry, PRIORITY(task->priority), task->node);
    }
    declared = (struct nodes_system){
        .tasks = tasks,
        .task_count = FIRST_TASK + bench_scenario.task_count,
        .tick_cycles = TICK_CYCLES,
        .faulted = report_fault,
        .stopped = report_stop,
        .request = serve_request,
    };
    nodes_start(&declared);
}
