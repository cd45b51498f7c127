// SPDX-License-Identifier: MIT
//
// Creates the objects and the threads of a scenario, and serves its timers.
#include "objects.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

// The first thread starts the others and then serves the timers, so its priority is above theirs.
enum { FIRST_THREAD_PRIORITY = 60 };
enum { MAX_DESCRIPTORS = STDERR_FILENO + 1 + MAX_TASKS + 2 * MAX_QUEUES + 4 * MAX_MESSAGE_BUFFERS };

sem_t semaphores[MAX_SEMAPHORES];
pthread_mutex_t mutexes[MAX_MUTEXES];
pthread_cond_t conditions[MAX_CONDITIONS];
pthread_rwlock_t rwlocks[MAX_RWLOCKS];
struct queue queues[MAX_QUEUES];
struct pipe message_buffers[MAX_MESSAGE_BUFFERS];
timer_t timers[MAX_TIMERS];
size_t library_stack_bytes;

static void refuse_more_than_fits(void) {
    BENCH_REQUIRE(bench_scenario.task_count <= MAX_TASKS, "port: too many tasks declared");
    BENCH_REQUIRE(bench_scenario.semaphore_count <= MAX_SEMAPHORES,
                  "port: too many semaphores declared");
    BENCH_REQUIRE(bench_scenario.mutex_count <= MAX_MUTEXES, "port: too many mutexes declared");
    BENCH_REQUIRE(bench_scenario.queue_count <= MAX_QUEUES, "port: too many queues declared");
    BENCH_REQUIRE(bench_scenario.condition_count <= MAX_CONDITIONS,
                  "port: too many condition variables declared");
    BENCH_REQUIRE(bench_scenario.rwlock_count <= MAX_RWLOCKS,
                  "port: too many read-write locks declared");
    BENCH_REQUIRE(bench_scenario.message_buffer_count <= MAX_MESSAGE_BUFFERS,
                  "port: too many message buffers declared");
    BENCH_REQUIRE(bench_scenario.timer_count <= MAX_TIMERS, "port: too many timers declared");
}

// Makes room for the descriptors of all objects while there is one thread. The kernel otherwise
// makes it when descriptor 32 is opened, waits until other threads cannot see the former table any
// more, and waits for ever if a real-time thread never blocks (expand_fdtable of its fs/file.c).
static void make_room_for_descriptors(void) {
    const int highest = fcntl(STDIN_FILENO, F_DUPFD, MAX_DESCRIPTORS - 1);
    BENCH_REQUIRE(highest >= 0 && close(highest) == 0, "port: refused a descriptor");
}

// Makes the first thread a real-time thread of one processor, which later threads inherit.
static void become_real_time(void) {
    const struct sched_param priority = {.sched_priority = FIRST_THREAD_PRIORITY};
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    BENCH_REQUIRE(sched_setaffinity(0, sizeof first, &first) == 0, "port: refused a processor");
    BENCH_REQUIRE(sched_setscheduler(0, SCHED_FIFO, &priority) == 0, "port: refused SCHED_FIFO");
    BENCH_REQUIRE(mlockall(MCL_CURRENT | MCL_FUTURE) == 0, "port: refused to lock the memory");
}

static void create_mutex(size_t i) {
    const int protocol =
        bench_scenario.mutexes[i].inherits ? PTHREAD_PRIO_INHERIT : PTHREAD_PRIO_NONE;
    pthread_mutexattr_t attributes;
    (void)pthread_mutexattr_init(&attributes);
    (void)pthread_mutexattr_setprotocol(&attributes, protocol);
    BENCH_REQUIRE(pthread_mutex_init(&mutexes[i], &attributes) == 0, "port: refused a mutex");
}

// Creates message queue `i`; for example, queue 3 has the name "/q3".
static void create_queue(size_t i) {
    const struct bench_queue_declaration *declared = &bench_scenario.queues[i];
    const char name[] = {'/', 'q', (char)('0' + i), '\0'};
    struct mq_attr attributes = {.mq_maxmsg = declared->capacity,
                                 .mq_msgsize = declared->message_bytes};
    queues[i] = (struct queue){
        .waiting = mq_open(name, O_CREAT | O_RDWR, 0600, &attributes),
        .polling = mq_open(name, O_RDWR | O_NONBLOCK),
    };
    BENCH_REQUIRE(queues[i].waiting != (mqd_t)-1 && queues[i].polling != (mqd_t)-1,
                  "port: refused a message queue");
}

// Returns the end of a pipe, and a second descriptor of it that does not block. Packet mode is set
// after open(), which refuses it.
static struct ends ends_of(int end, int mode) {
    char name[sizeof "/proc/self/fd/0123456789"];
    (void)snprintf(name, sizeof name, "/proc/self/fd/%d", end);
    const struct ends made = {end, open(name, mode | O_NONBLOCK)};
    BENCH_REQUIRE(made.polling >= 0 && fcntl(made.polling, F_SETFL, O_NONBLOCK | O_DIRECT) == 0,
                  "port: refused the end of a pipe");
    return made;
}

// In packet mode, each message takes a page of the pipe.
static void create_message_buffer(size_t i) {
    int ends[2] = {-1, -1};
    const int bytes = bench_scenario.message_buffers[i].messages * (int)sysconf(_SC_PAGESIZE);
    BENCH_REQUIRE(pipe2(ends, O_DIRECT) == 0 && fcntl(ends[1], F_SETPIPE_SZ, bytes) >= bytes,
                  "port: refused a pipe");
    message_buffers[i] = (struct pipe){ends_of(ends[0], O_RDONLY), ends_of(ends[1], O_WRONLY)};
}

static void timer_gives(int number, siginfo_t *signal, void *context) {
    (void)number;
    (void)context;
    const int timer = signal->si_value.sival_int;
    (void)sem_post(&semaphores[bench_scenario.timers[timer].semaphore]);
}

static void create_timers(void) {
    const struct sigaction gives = {.sa_sigaction = timer_gives, .sa_flags = SA_SIGINFO};
    (void)sigaction(SIGRTMIN, &gives, NULL);
    for (size_t i = 0; i < bench_scenario.timer_count; i++) {
        struct sigevent signal = {
            .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN, .sigev_value.sival_int = (int)i};
        BENCH_REQUIRE(timer_create(CLOCK_MONOTONIC, &signal, &timers[i]) == 0,
                      "port: refused a timer");
    }
}

static void create_objects(void) {
    for (size_t i = 0; i < bench_scenario.semaphore_count; i++) {
        (void)sem_init(&semaphores[i], 0, bench_scenario.semaphores[i].initial);
    }
    for (size_t i = 0; i < bench_scenario.mutex_count; i++) {
        create_mutex(i);
    }
    for (size_t i = 0; i < bench_scenario.condition_count; i++) {
        (void)pthread_cond_init(&conditions[i], NULL);
    }
    for (size_t i = 0; i < bench_scenario.rwlock_count; i++) {
        (void)pthread_rwlock_init(&rwlocks[i], NULL);
    }
    for (size_t i = 0; i < bench_scenario.queue_count; i++) {
        create_queue(i);
    }
    for (size_t i = 0; i < bench_scenario.message_buffer_count; i++) {
        create_message_buffer(i);
    }
    create_timers();
}

static void create_initially(uint32_t index) {
    const uint8_t initially = bench_scenario.tasks[index].initially;
    BENCH_REQUIRE(initially != BENCH_SUSPENDED, "port: a task is declared as suspended");
    if (initially == BENCH_READY) {
        BENCH_REQUIRE(bench_task_create((struct bench_task){index}) == BENCH_OK,
                      "port: refused a thread");
    }
}

// Creates the last task first: a new thread has its creator's priority until it gets its own, and a
// thread whose priority is lowered is put before all others of its new priority.
_Noreturn void bench_port_start(void) {
    refuse_more_than_fits();
    make_room_for_descriptors();
    become_real_time();
    library_stack_bytes = 2 * (size_t)PTHREAD_STACK_MIN;
    create_objects();
    for (size_t i = bench_scenario.task_count; i > 0; i--) {
        create_initially((uint32_t)i - 1);
    }
    for (;;) {
        (void)pause();
    }
}
