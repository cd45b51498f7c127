// SPDX-License-Identifier: MIT
//
// The function that writes an entry of a log (log.h). user_objects.c includes this header only in a
// system that declares a log, so that other systems have no code of it.
//
// The number of the entry is claimed first, in one atomic step that reads the ticks, too, so the
// ticks of a log never decrease. A thread that is interrupted afterwards has a slot for itself. If
// other threads write as many entries meanwhile as the log has slots, they use the same slot; the
// check in the slot is then wrong, and the reader counts the entry as lost.
#ifndef BULKHEAD_LOG_WRITE_H
#define BULKHEAD_LOG_WRITE_H

#include <bulkhead/bulkhead.h>
#include <bulkhead/local_words.h>
#include <bulkhead/log.h>

void bulkhead_log_write(const struct bulkhead_log *log, const char *text, uint32_t a, uint32_t b,
                        uint32_t c, uint32_t d) {
    uint32_t ticks;
    const uint32_t number = bulkhead_log_claim(&log->ring->written, &ticks);
    struct bulkhead_entry *event = bulkhead_entry_of(log->ring, log->mask, number);
    event->ticks = ticks;
    event->thread = bulkhead_page.self;
    event->what = (uint32_t)text;
    event->values[0] = a;
    event->values[1] = b;
    event->values[2] = c;
    event->values[3] = d;
    event->check = bulkhead_entry_check(number, event);
}

#endif
