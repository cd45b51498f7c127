// SPDX-License-Identifier: MIT
//! Supervises a process that faults whenever it runs, measures it, and resets the system. After the
//! reset it reads the record.
#![no_std]
#![deny(unsafe_code)]

use bulkhead::{Error, Event, Supervisor, FOREVER};

#[allow(unsafe_code, dead_code)]
mod system {
    bulkhead::objects!();
}

const PERIOD_TICKS: u32 = 50;
const REASON: u32 = 7;
const LEFT_BYTES: u32 = 1024 - 128; // most bytes of its stack that the faulty thread leaves unused

bulkhead::message! {
    /// A line for the printer to print: the index of a text, and a number.
    pub struct Line {
        text: u32,
        number: u32,
    }
}

/// The texts of the lines, in the order of the array in printer.c.
#[derive(Clone, Copy)]
enum Text {
    Faulted,
    Restarted,
    GaveUp,
    Ended,
    Faults,
    StackUsed,
    TimeUsed,
    Cause,
    Kind,
    Start,
    Refused,
    End,
}

fn tell(text: Text, number: u32) {
    let line = Line {
        text: text as u32,
        number,
    };
    system::QUEUE_LINES.send(&line, FOREVER).expect("declared");
    bulkhead::log!(system::LOG_BOSS, "line %u says %d", text as u32, -1);
}

fn supervise() {
    let mut supervisor = Supervisor::new(&system::POLICIES_BOSS, PERIOD_TICKS);
    loop {
        match supervisor.next_event() {
            Event::Faulted(process) => tell(Text::Faulted, process as u32),
            Event::Restarted(process) => tell(Text::Restarted, process as u32),
            Event::GaveUp(process) => return tell(Text::GaveUp, process as u32),
            Event::Silent(_) => panic!("it does not have to say that it is alive"),
            Event::AllAlive => (),
        }
    }
}

fn restart_and_end() -> bulkhead::Result {
    tell(Text::Ended, system::PROCESS_FAULTY.is_ended()?.into());
    system::PROCESS_FAULTY.restart()?;
    tell(Text::Ended, system::PROCESS_FAULTY.is_ended()?.into());
    system::PROCESS_FAULTY.end()?;
    tell(Text::Ended, system::PROCESS_FAULTY.is_ended()?.into());
    tell(Text::Faults, system::PROCESS_FAULTY.fault()?.faults);
    Ok(())
}

fn measure() -> bulkhead::Result {
    let left = system::MEASURED_FAULTY.stack_left()?;
    tell(Text::StackUsed, (0 < left && left <= LEFT_BYTES).into());
    tell(Text::TimeUsed, (system::MEASURED_FAULTY.time()? > 0).into());
    Ok(())
}

fn read_record() -> bulkhead::Result {
    for age in 0.. {
        let entry = system::RECORD_BLACK_BOX.read(age)?;
        tell(Text::Cause, entry.cause);
        tell(Text::Kind, entry.kind);
        tell(Text::Start, entry.start);
    }
    Ok(())
}

#[allow(unsafe_code)]
mod threads {
    use super::*;

    bulkhead::thread! {
        fn boss_main() {
            if system::RECORD_BLACK_BOX.read(0).is_err() {
                supervise();
                restart_and_end().expect("it is the supervisor");
                measure().expect("both are declared");
                bulkhead::delay(1); // the printer ends
                system::RECORD_BLACK_BOX.reset(REASON).expect("it is a user");
            }
            let error = read_record().expect_err("the record is finite");
            tell(Text::Refused, (error == Error::Refused).into());
            tell(Text::End, 0);
        }
    }
}
