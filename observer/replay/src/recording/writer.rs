// SPDX-License-Identifier: MIT
//! Writes a recording while its target runs.
//!
//! It is called as often as the core, so nearly every call must only compare and count. An error
//! does not stop the run: the first one is kept for [`Recorder::finish`].

use super::predictor::Predictor;
use super::{varint, End, Header, DEFINE, END, FIRST_CODE, MAGIC, SCHEMA};
use super::{ACCESSED, ADDRESS, BLOCK, CONTEXT, MARK, REACHED};
use crate::block::{Block, BlockId};
use crate::header;
use crate::plan::{Passes, Plan};
use std::collections::HashMap;
use std::io::{self, Write};
use ticklab_processor::Context;

/// The number of uncompressed bytes that are compressed at a time.
const CHUNK_BYTES: usize = 1 << 16;
/// Loops of a guest are far longer than the window of the faster levels.
const LEVEL: i32 = 3;
const WINDOW_LOG: u32 = 24;

pub struct Recorder<W: Write> {
    out: Option<zstd::Encoder<'static, W>>,
    outcome: io::Result<()>,
    buffer: Vec<u8>,

    predictor: Predictor,
    /// The number of predicted symbols since the last entry.
    run: u32,

    /// For each block, its symbol and the sum of its checkpoints.
    blocks: Vec<(u32, u32)>,
    running_whole: u32,
    symbols: HashMap<(u8, u32, u32), u32>,
    /// Whether passes of a mark count towards the end of the recording.
    awaited: Vec<bool>,
    passes_left: Option<u64>,
}

impl<W: Write> Recorder<W> {
    /// Starts a recording on `out`. `image_hash` is the result of [`super::image_hash`]; `marks`
    /// are the names in the log's header.
    #[must_use]
    pub fn new(plan: &Plan, image_hash: &str, marks: &[String], out: W) -> Recorder<W> {
        let until = plan
            .record
            .as_ref()
            .and_then(|record| record.until.as_ref());
        let awaits = |name: &String| until.is_some_and(|passes: &Passes| passes.fits(name));
        let mut recorder = Recorder {
            out: None,
            outcome: Ok(()),
            buffer: Vec::with_capacity(2 * CHUNK_BYTES),
            predictor: Predictor::new(),
            run: 0,
            blocks: Vec::new(),
            running_whole: 0,
            symbols: HashMap::new(),
            awaited: marks.iter().map(awaits).collect(),
            passes_left: until.map(|passes| passes.passes),
        };
        recorder.outcome = recorder.begin(plan, image_hash, out);
        recorder
    }

    fn begin(&mut self, plan: &Plan, image_hash: &str, mut out: W) -> io::Result<()> {
        let header = Header {
            schema: SCHEMA,
            observer: crate::VERSION.to_owned(),
            image_sha256: image_hash.to_owned(),
            plan: plan.portable(),
        };
        out.write_all(&header::bytes(MAGIC, &header))?;
        let mut encoder = zstd::Encoder::new(out, LEVEL)?;
        encoder.long_distance_matching(true)?;
        encoder.window_log(WINDOW_LOG)?;
        self.out = Some(encoder);
        Ok(())
    }

    /// Reports that the core has block `id` of `code`. Known blocks are reported again when the
    /// target translates them again.
    pub fn block(&mut self, id: BlockId, block: &Block, code: &[u8]) {
        if id.0 < self.blocks.len() {
            return;
        }
        let symbol = self.define(BLOCK, &[block.start(), code.len() as u32]);
        self.buffer.extend_from_slice(code);
        self.blocks.push((symbol, block.whole()));
    }

    /// As [`crate::Core::enter`].
    #[inline]
    pub fn enter(&mut self, next: BlockId, reached: u32) {
        if reached != self.running_whole {
            self.happens(REACHED, reached, 0);
        }
        let (symbol, whole) = self.blocks[next.0];
        self.running_whole = whole;
        self.push(symbol);
    }

    /// As [`crate::Core::mark`]. Returns false if the recording is complete.
    pub fn mark(&mut self, mark: usize, index: usize) -> bool {
        self.happens(MARK, mark as u32, index as u32);
        if self.awaited[mark] {
            self.passes_left = self.passes_left.map(|left| left.saturating_sub(1));
        }
        self.passes_left != Some(0)
    }

    /// As [`crate::Core::accessed`].
    pub fn accessed(&mut self, address: u32) {
        self.happens(ACCESSED, address, 0);
    }

    /// As [`crate::Core::address`].
    pub fn address(&mut self, address: u32) {
        self.happens(ADDRESS, address, 0);
    }

    /// Reports that the registers of a task were saved or restored.
    pub fn context(&mut self, context: Context) {
        let second = u32::from(context.is_stack_pointer) << 1 | u32::from(context.is_save);
        self.happens(CONTEXT, context.slot, second);
    }

    /// Ends the recording, together with its run or before (`None`).
    ///
    /// # Errors
    /// The recording could not be written completely.
    pub fn finish(&mut self, end: Option<&End>) -> io::Result<W> {
        self.entry(END);
        let text = serde_json::to_vec(&end).expect("an end is plain data");
        varint::put(&mut self.buffer, text.len() as u32);
        self.buffer.extend_from_slice(&text);
        self.flush();
        std::mem::replace(&mut self.outcome, Ok(()))?;
        let encoder = self.out.take().expect("finished once");
        let mut out = encoder.finish()?;
        out.flush()?;
        Ok(out)
    }

    /// Records a call other than the start of a block.
    fn happens(&mut self, kind: u8, first: u32, second: u32) {
        let key = (kind, first, second);
        let symbol = match self.symbols.get(&key) {
            Some(&symbol) => symbol,
            None => {
                let operands = [first, second];
                let symbol = self.define(kind, &operands[..operand_count(kind)]);
                self.symbols.insert(key, symbol);
                symbol
            }
        };
        self.push(symbol);
    }

    #[inline]
    fn push(&mut self, symbol: u32) {
        if self.predictor.observe(symbol) {
            self.run += 1;
        } else {
            self.entry(symbol + FIRST_CODE);
        }
    }

    fn define(&mut self, kind: u8, operands: &[u32]) -> u32 {
        self.entry(DEFINE);
        self.buffer.push(kind);
        for &operand in operands {
            varint::put(&mut self.buffer, operand);
        }
        self.predictor.define()
    }

    fn entry(&mut self, code: u32) {
        if self.buffer.len() >= CHUNK_BYTES {
            self.flush();
        }
        varint::put(&mut self.buffer, self.run);
        varint::put(&mut self.buffer, code);
        self.run = 0;
    }

    #[cold]
    fn flush(&mut self) {
        if let (Some(out), Ok(())) = (&mut self.out, &self.outcome) {
            self.outcome = out.write_all(&self.buffer);
        }
        self.buffer.clear();
    }
}

/// Returns the number of operands of a symbol of this kind.
pub(super) fn operand_count(kind: u8) -> usize {
    match kind {
        REACHED | ACCESSED | ADDRESS => 1,
        _ => 2,
    }
}
