// SPDX-License-Identifier: GPL-2.0-or-later
//! Explains the run while it is observed: passes each event to an explainer, and writes the
//! explainer's answer to files.

use crate::aclint::Aclint;
use crate::gic::Gic;
use crate::interrupts::{Controller, Interrupts};
use crate::nvic::Nvic;
use crate::observation::Core;
use std::collections::HashMap;
use std::path::Path;
use ticklab_explain::{request, Events, Explainer, Outputs, Request, Subject, Symbols};
use ticklab_replay::{BlockId, Error, Plan};

pub struct Explaining {
    pub explainer: Explainer<'static>,
    interrupts: Option<Interrupts>,
    /// Whether the timer becomes pending by the clock, so that each block must check the clock.
    has_timer: bool,
    /// Whether the values that the guest writes to devices are derived from its code and not
    /// traced.
    pub derives_writes: bool,
    /// The values that stores certainly write, by the block and the address of the store.
    stored: HashMap<(BlockId, u32), u32>,
    running: BlockId,
    outputs: Outputs,
}

impl Explaining {
    /// Reads the request and creates the files for the answer. Memory to which the analysis refers
    /// is never freed, because this process has only one run.
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
        let trace = request.interrupts.as_deref();
        let interrupts = trace.map(|trace| open(trace, controller(request, plan)));
        let interrupts = interrupts.transpose()?;
        if interrupts.is_some() {
            explainer.follow_interrupts(request.events != Events::All, request.instruction_ns);
        }
        Ok(Explaining {
            explainer,
            interrupts,
            has_timer: request.controller == request::Controller::Aclint,
            derives_writes: request.events == Events::Least,
            stored: HashMap::default(),
            running: BlockId(0),
            outputs: Outputs::create(request)?,
        })
    }

    /// Handles a block that QEMU has translated. QEMU translates the first block before the guest
    /// runs.
    ///
    /// # Errors
    ///
    /// The states of interrupts cannot be followed.
    pub fn block(&mut self, core: &Core, id: BlockId, code: &[u8]) -> Result<(), String> {
        let begun = self.interrupts.as_mut().map_or(Ok(()), Interrupts::begin);
        self.explainer.block(core, id, code);
        if self.derives_writes {
            let stores = core.stored_constants(id, code).into_iter();
            self.stored
                .extend(stores.map(|(address, value)| ((id, address), value)));
        }
        begun.map_err(|e| format!("the trace of interrupts cannot be mapped: {e}"))
    }

    /// Returns the exception that was taken before the block that the core is about to enter, if
    /// the trace of interrupts says so.
    #[inline]
    pub fn taken(&mut self) -> Option<u16> {
        self.interrupts.as_mut()?.taken()
    }

    /// Handles the begin of block `next`, which the core has entered.
    #[inline]
    pub fn enter(&mut self, core: &Core, next: BlockId) {
        if self.has_timer {
            self.explainer.pass_time(core);
        }
        if let Some(interrupts) = &mut self.interrupts {
            let has_changed = interrupts.drain(|change| self.explainer.interrupt(core, change));
            if has_changed && interrupts.needs_more() {
                self.explainer.ask_for_more_events();
            }
        }
        self.running = next;
        self.explainer.enter(core, next);
    }

    /// Handles a write of `bytes` bytes to a device at `address` by the store instruction at
    /// `store`. QEMU may have translated the store again as a block of its own; the running block
    /// then began with the code before the store.
    pub fn written(&mut self, store: u32, address: u32, bytes: u32) {
        let value = self.stored.get(&(self.running, store)).copied();
        if let Some(interrupts) = &mut self.interrupts {
            interrupts.written(address, bytes, value);
        }
    }

    /// Returns whether this run cannot give exact latencies because QEMU traces too few kinds of
    /// events.
    #[inline]
    pub fn is_in_vain(&self) -> bool {
        self.explainer.needs_more_events()
    }

    /// Writes the explainer's answer. The core must be at the end of the run.
    pub fn finish(&mut self, core: &Core) -> Result<(), Error> {
        self.explainer.finish(core);
        self.outputs.write(&mut self.explainer, core)
    }
}

fn functions(file: &Path) -> Result<Symbols, Error> {
    let text = read("functions of the system", file, "boot the kernel again")?;
    Symbols::parse(&String::from_utf8_lossy(&text))
}

fn controller(request: &Request, plan: &Plan) -> Box<dyn Controller> {
    match (request.controller, request.events) {
        (request::Controller::Nvic, Events::All) => Box::new(Nvic::all()),
        (request::Controller::Nvic, events) => {
            Box::new(Nvic::few(plan.vectors, events == Events::Least))
        }
        (request::Controller::Gic, _) => Box::new(Gic::default()),
        (request::Controller::Aclint, _) => Box::new(Aclint::default()),
    }
}

fn open(trace: &Path, controller: Box<dyn Controller>) -> Result<Interrupts, Error> {
    let name = trace.display();
    Interrupts::open(trace, controller)
        .map_err(|e| Error::new(format!("{name}: {e}; give a writable path")))
}

fn read(what: &str, file: &Path, hint: &str) -> Result<Vec<u8>, Error> {
    std::fs::read(file).map_err(|e| Error::new(format!("{what} {}: {e}; {hint}", file.display())))
}
