// SPDX-License-Identifier: GPL-2.0-or-later
//! Explains the run while it is observed: an explainer, and the files for its answer.

use crate::interrupts::Interrupts;
use crate::observation::Core;
use std::path::Path;
use ticklab_explain::{Explainer, Outputs, Request, Subject, Symbols};
use ticklab_replay::{BlockId, Error, Plan};

pub struct Explaining {
    pub explainer: Explainer<'static>,
    interrupts: Option<Interrupts>,
    outputs: Outputs,
}

impl Explaining {
    /// Reads the request, and creates the files for the answer. What an analysis refers to is never
    /// freed: this process has one run.
    pub fn begin(request: &Path, plan: &Plan, core: &Core) -> Result<Explaining, Error> {
        let request: &Request = Box::leak(Box::new(Request::read(request)?));
        let image = read("image", &plan.image, "build it first")?;
        let log = request.log.as_deref();
        let log = log.map(|log| read("event log", log, "observe first"));
        let log = log.transpose()?;
        let system = request.system.as_deref().map(functions).transpose()?;
        let (log, system) = (log.as_deref(), system.unwrap_or_default());
        let subject = Subject::new(image, log, request.starts.clone(), system, core)?;
        let subject: &Subject = Box::leak(Box::new(subject));
        let has_timeline = request.timeline.is_some();
        let mut explainer = Explainer::begin(subject, &request.spans, core, has_timeline)?;
        let table = request.has_few_events.then_some(plan.vectors);
        let interrupts = request
            .interrupts
            .as_deref()
            .map(|trace| open(trace, table));
        let interrupts = interrupts.transpose()?;
        if interrupts.is_some() {
            explainer.follow_interrupts(request.has_few_events);
        }
        Ok(Explaining {
            explainer,
            interrupts,
            outputs: Outputs::create(request)?,
        })
    }

    /// Handles a translated block. The first one is translated before the guest runs.
    ///
    /// # Errors
    /// The states of interrupts cannot be followed.
    pub fn block(&mut self, core: &Core, id: BlockId, code: &[u8]) -> Result<(), String> {
        let begun = self.interrupts.as_mut().map_or(Ok(()), Interrupts::begin);
        self.explainer.block(core, id, code);
        begun.map_err(|e| format!("the trace of interrupts cannot be mapped: {e}"))
    }

    /// Handles the begin of block `next`, which the core has entered.
    #[inline]
    pub fn enter(&mut self, core: &Core, next: BlockId) {
        if let Some(interrupts) = &mut self.interrupts {
            let has_changed = interrupts.drain(|change| self.explainer.interrupt(core, change));
            if has_changed && interrupts.needs_all() {
                self.explainer.ask_for_all_events();
            }
        }
        self.explainer.enter(core, next);
    }

    /// Returns whether the answer of this run can only be that QEMU must trace all events.
    #[inline]
    pub fn is_in_vain(&self) -> bool {
        self.explainer.needs_all_events()
    }

    /// Writes the answer. The core is at its end.
    pub fn finish(&mut self, core: &Core) -> Result<(), Error> {
        self.explainer.finish(core);
        self.outputs.write(&mut self.explainer, core)
    }
}

fn functions(file: &Path) -> Result<Symbols, Error> {
    let text = read("functions of the system", file, "boot the kernel again")?;
    Symbols::parse(&String::from_utf8_lossy(&text))
}

fn open(trace: &Path, table: Option<u32>) -> Result<Interrupts, Error> {
    let name = trace.display();
    Interrupts::open(trace, table)
        .map_err(|e| Error::new(format!("{name}: {e}; give a writable path")))
}

fn read(what: &str, file: &Path, hint: &str) -> Result<Vec<u8>, Error> {
    std::fs::read(file).map_err(|e| Error::new(format!("{what} {}: {e}; {hint}", file.display())))
}
