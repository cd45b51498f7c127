// SPDX-License-Identifier: MIT
//! Makes the calls of a recording to a core, which writes the log of the run again.

use super::{Event, Recording};
use crate::block::BlockId;
use crate::core::Core;
use crate::Error;
use std::io::{self, Write};
use ticklab_image::Image;

pub struct Player<W: Write> {
    pub core: Core<W>,
    running: Option<BlockId>,
}

impl<W: Write> Player<W> {
    /// Without `out` no log is written.
    ///
    /// # Errors
    /// The recording's plan does not fit the image.
    pub fn new(recording: &Recording, image: Image, out: Option<W>) -> Result<Player<W>, Error> {
        Ok(Player {
            core: Core::begin(&recording.plan, image, out)?,
            running: None,
        })
    }

    /// Returns the running block.
    #[must_use]
    pub fn running(&self) -> Option<BlockId> {
        self.running
    }

    /// # Errors
    /// The event does not fit those before it, or the log cannot be written.
    #[inline]
    pub fn play(&mut self, event: &Event) -> Result<(), Error> {
        match event {
            Event::Code { start, code } => self.define(*start, code)?,
            Event::Enter { block, reached } => self.enter(BlockId(*block), *reached),
            Event::Mark { mark, index } => self.mark(*mark, *index)?,
            Event::Accessed { address } => self.core.accessed(*address),
            Event::Address { address } => _ = self.core.address(*address),
            Event::Context(context) => self.core.context(*context),
            Event::End(None) => {}
            Event::End(Some(end)) => {
                if let Some(reached) = end.stop {
                    self.core.stop(reached);
                }
                let written = self.core.finish(end.end, end.detail.clone());
                written.map_err(|e: io::Error| Error::new(format!("event log: {e}")))?;
            }
        }
        Ok(())
    }

    fn define(&mut self, start: u32, code: &[u8]) -> Result<(), Error> {
        if code.len() < 2 {
            return Err(super::damaged("a block without an instruction"));
        }
        self.core.block(start, code);
        Ok(())
    }

    #[inline]
    fn enter(&mut self, next: BlockId, reached: Option<u32>) {
        let whole = || self.running.map_or(0, |id| self.core.code(id).whole());
        let reached = reached.unwrap_or_else(whole);
        self.core.enter(next, reached);
        self.running = Some(next);
    }

    fn mark(&mut self, mark: usize, index: usize) -> Result<(), Error> {
        let length = self
            .running
            .map(|id| self.core.code(id).instructions().len());
        if length.is_none_or(|length| index >= length) || mark >= self.core.marks() {
            return Err(super::damaged("a mark outside its block"));
        }
        self.core.mark(mark, index);
        Ok(())
    }
}
