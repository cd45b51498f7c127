// SPDX-License-Identifier: MIT
//! Reads a recording, call by call.

use super::predictor::Predictor;
use super::writer::operand_count;
use super::{damaged, image_hash, varint, End, Header, DEFINE, END, FIRST_CODE, MAGIC};
use super::{ACCESSED, ADDRESS, BLOCK, CONTEXT, MARK, REACHED, SCHEMA};
use crate::header;
use crate::plan::Plan;
use crate::Error;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use ticklab_processor::Context;

/// A limit above the size of any block (512 instructions of 4 bytes) or end.
const LONGEST_BYTES: u32 = 1 << 16;

/// A recording in memory, still compressed.
pub struct Recording {
    pub plan: Plan,
    pub image_sha256: String,
    pub observer: String,
    body: Vec<u8>,
}

/// A call to the core, or an event for an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A new block.
    Code {
        start: u32,
        code: Vec<u8>,
    },
    /// Block number `block` begins. The block before it was executed to its end, or only up to
    /// `reached`.
    Enter {
        block: usize,
        reached: Option<u32>,
    },
    Mark {
        mark: usize,
        index: usize,
    },
    Accessed {
        address: u32,
    },
    Address {
        address: u32,
    },
    Context(Context),
    /// The end of the run, or of the recording only.
    End(Option<End>),
}

impl Recording {
    /// # Errors
    /// The file cannot be read or is not a recording of this schema.
    pub fn read(path: &Path) -> Result<Recording, Error> {
        let name = path.display();
        let data = std::fs::read(path)
            .map_err(|e| Error::new(format!("recording {name}: {e}; record it first")))?;
        Recording::parse(&data)
    }

    /// # Errors
    /// The data does not begin as a recording of this schema.
    pub fn parse(data: &[u8]) -> Result<Recording, Error> {
        let (header, body): (Header, _) = header::parse(data, MAGIC, damaged)?;
        if header.schema != SCHEMA || header.observer != crate::VERSION {
            return Err(damaged(&format!(
                "it was made by observer {}",
                header.observer
            )));
        }
        Ok(Recording {
            plan: Plan::parse(&header.plan.to_string())?,
            image_sha256: header.image_sha256,
            observer: header.observer,
            body: body.to_vec(),
        })
    }

    /// # Errors
    /// The recording is of another image.
    pub fn check_image(&self, image: &[u8]) -> Result<(), Error> {
        if self.image_sha256 == image_hash(image) {
            return Ok(());
        }
        Err(damaged("the image is not the one that was recorded"))
    }

    /// # Errors
    /// The data cannot be decompressed.
    pub fn events(&self) -> Result<Events<'_>, Error> {
        let decoder = zstd::Decoder::with_buffer(&self.body[..]).map_err(unreadable)?;
        Ok(Events {
            source: BufReader::with_capacity(1 << 16, decoder),
            symbols: Vec::new(),
            predictor: Predictor::new(),
            blocks: 0,
            run: 0,
            code: None,
            reached: None,
        })
    }
}

fn unreadable(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => damaged("cut short"),
        _ => damaged(&error.to_string()),
    }
}

/// The meaning of a symbol.
#[derive(Clone, Copy)]
enum Symbol {
    Block(usize),
    Reached(u32),
    Other(u8, u32, u32),
}

pub struct Events<'data> {
    source: BufReader<zstd::Decoder<'static, &'data [u8]>>,
    symbols: Vec<Symbol>,
    predictor: Predictor,
    blocks: usize,
    /// The number of predicted symbols before `code` applies.
    run: u32,
    code: Option<u32>,
    reached: Option<u32>,
}

impl Events<'_> {
    /// Returns the next event. The last one is [`Event::End`].
    ///
    /// # Errors
    /// The recording is damaged or cut short.
    #[inline]
    pub fn next_event(&mut self) -> Result<Event, Error> {
        loop {
            if let Some(event) = self.next_symbol()? {
                return Ok(event);
            }
        }
    }

    #[inline]
    fn next_symbol(&mut self) -> Result<Option<Event>, Error> {
        if self.run > 0 {
            self.run -= 1;
            let expected = self.predictor.expected();
            return self
                .symbol(expected.ok_or_else(|| damaged("a run without a predicted symbol"))?);
        }
        match self.code.take() {
            None => {
                self.run = varint::get(&mut self.source).map_err(unreadable)?;
                self.code = Some(varint::get(&mut self.source).map_err(unreadable)?);
                Ok(None)
            }
            Some(DEFINE) => self.define(),
            Some(END) => self.end().map(Some),
            Some(code) => self.symbol(code - FIRST_CODE),
        }
    }

    #[inline]
    fn symbol(&mut self, symbol: u32) -> Result<Option<Event>, Error> {
        let meaning = self.symbols.get(symbol as usize).copied();
        let meaning = meaning.ok_or_else(|| damaged("an unknown symbol"))?;
        self.predictor.observe(symbol);
        Ok(match meaning {
            Symbol::Block(block) => Some(Event::Enter {
                block,
                reached: self.reached.take(),
            }),
            Symbol::Reached(reached) => {
                self.reached = Some(reached);
                None
            }
            Symbol::Other(kind, first, second) => Some(event(kind, first, second)),
        })
    }

    fn define(&mut self) -> Result<Option<Event>, Error> {
        let kind = varint::byte(&mut self.source).map_err(unreadable)?;
        let mut operands = [0; 2];
        for operand in &mut operands[..operand_count(kind)] {
            *operand = varint::get(&mut self.source).map_err(unreadable)?;
        }
        let [first, second] = operands;
        self.predictor.define();
        self.symbols.push(match kind {
            BLOCK => Symbol::Block(self.blocks),
            REACHED => Symbol::Reached(first),
            MARK | ACCESSED | ADDRESS | CONTEXT => Symbol::Other(kind, first, second),
            _ => return Err(damaged(&format!("an unknown kind of symbol, {kind}"))),
        });
        if kind != BLOCK {
            return Ok(None);
        }
        self.blocks += 1;
        let code = self.bytes(second)?;
        Ok(Some(Event::Code { start: first, code }))
    }

    fn end(&mut self) -> Result<Event, Error> {
        let length = varint::get(&mut self.source).map_err(unreadable)?;
        let text = self.bytes(length)?;
        let is_over = self.source.fill_buf().map_err(unreadable)?.is_empty();
        if !is_over {
            return Err(damaged("it has data after its end"));
        }
        let end = serde_json::from_slice(&text).map_err(|e| damaged(&format!("end: {e}")))?;
        Ok(Event::End(end))
    }

    fn bytes(&mut self, length: u32) -> Result<Vec<u8>, Error> {
        if length > LONGEST_BYTES {
            return Err(damaged("a block that is too long"));
        }
        let mut bytes = vec![0; length as usize];
        self.source.read_exact(&mut bytes).map_err(unreadable)?;
        Ok(bytes)
    }
}

fn event(kind: u8, first: u32, second: u32) -> Event {
    match kind {
        MARK => Event::Mark {
            mark: first as usize,
            index: second as usize,
        },
        ACCESSED => Event::Accessed { address: first },
        ADDRESS => Event::Address { address: first },
        _ => Event::Context(Context {
            is_save: second & 1 != 0,
            slot: first,
            is_stack_pointer: second & 2 != 0,
        }),
    }
}
