// SPDX-License-Identifier: MIT
//! Numbers functions, out-of-line and inlined, from symbols and debug information.

use crate::debug_info::{self, DebugInfo, Section};
use crate::symbols::{of_source, shown, Symbols};
use object::read::elf::ElfFile32;
use object::{Endianness, Object};
use std::collections::{BTreeMap, HashMap};
use ticklab_replay::Error;

/// The size of the largest instruction of any architecture, in bytes.
const LARGEST_INSTRUCTION: u32 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FunctionId(pub u32);

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// The address of the function; `None` if it is inlined.
    pub address: Option<u32>,
    pub file: Option<String>,
    /// Whether instructions of the function itself mask interrupts (`enters`) and unmask them.
    pub enters: bool,
    pub leaves: bool,
}

pub struct Functions<'a> {
    pub list: Vec<Function>,
    pub symbols: Symbols,
    pub has_debug: bool,
    pub has_symbols: bool,
    lines: Option<DebugInfo<'a>>,
    out_of_line: HashMap<u32, FunctionId>,
    /// Sequences of adjacent instructions that no function of the image contains: the addresses of
    /// the first and the last.
    unnamed: BTreeMap<u32, u32>,
    inlined: HashMap<String, FunctionId>,
}

/// The functions and the source line from which an instruction comes.
pub struct Origin {
    /// The function that has a symbol first, then the functions inlined into it, innermost last.
    pub chain: Vec<FunctionId>,
    /// The source file and the line.
    pub line: Option<String>,
}

impl<'a> Functions<'a> {
    /// # Errors
    /// The image's symbols or debug information are damaged.
    pub fn read(image: &'a [u8]) -> Result<Functions<'a>, Error> {
        let elf = ElfFile32::<Endianness>::parse(image).map_err(|e| {
            Error::new(format!(
                "image: not a complete 32-bit ELF file ({e}); link it again"
            ))
        })?;
        let has_debug = elf.section_by_name(".debug_info").is_some();
        let symbols = Symbols::read(&elf)?;
        let lines = has_debug.then(|| debug_info::read(&elf, &symbols));
        Ok(Functions {
            list: Vec::new(),
            has_symbols: !symbols.is_empty(),
            symbols,
            has_debug,
            lines: lines.transpose()?,
            out_of_line: HashMap::new(),
            unnamed: BTreeMap::new(),
            inlined: HashMap::new(),
        })
    }

    pub fn get(&self, id: FunctionId) -> &Function {
        &self.list[id.0 as usize]
    }

    /// Returns whether a symbol of the image names an out-of-line function.
    pub fn is_of_image(&self, id: FunctionId) -> bool {
        let address = self.get(id).address;
        address.is_some_and(|address| self.symbols.find(address).is_some())
    }

    /// Returns the out-of-line function that contains `address`.
    pub fn at(&mut self, address: u32) -> FunctionId {
        let found = self.symbols.find(address);
        let named = found.map(|symbol| (symbol.address, symbol.name.clone()));
        let start = named
            .as_ref()
            .map_or_else(|| self.unnamed_start(address), |(start, _)| *start);
        if let Some(&id) = self.out_of_line.get(&start) {
            return id;
        }
        let name = named.map_or_else(|| self.symbols.unnamed(start), |(_, name)| name);
        let file = self.functions(start).pop().and_then(|outer| outer.file);
        let id = self.add(name, Some(start), file);
        self.out_of_line.insert(start, id);
        id
    }

    /// Returns the begin of the code at `address`, which no function of the image contains.
    /// Adjacent instructions of such code are treated as one function.
    fn unnamed_start(&mut self, address: u32) -> u32 {
        if let Some((&start, last)) = self.unnamed.range_mut(..=address).next_back() {
            if address <= last.saturating_add(LARGEST_INSTRUCTION) {
                *last = address.max(*last);
                return start;
            }
        }
        self.unnamed.insert(address, address);
        address
    }

    pub fn origin(&mut self, address: u32) -> Origin {
        let mut chain = vec![self.at(address)];
        let mut functions = self.functions(address);
        let line = functions.first().and_then(|inner| inner.line.clone());
        // The symbol table names the outermost function, which is in the chain already.
        functions.pop();
        for function in functions.into_iter().rev() {
            chain.push(self.inlined(function));
        }
        Origin { chain, line }
    }

    fn inlined(&mut self, function: SourceFunction) -> FunctionId {
        if let Some(&id) = self.inlined.get(&function.name) {
            return id;
        }
        let id = self.add(function.name.clone(), None, function.file);
        self.inlined.insert(function.name, id);
        id
    }

    fn add(&mut self, name: String, address: Option<u32>, file: Option<String>) -> FunctionId {
        self.list.push(Function {
            name,
            address,
            file,
            enters: false,
            leaves: false,
        });
        FunctionId(self.list.len() as u32 - 1)
    }

    /// Returns the functions to which the instruction at `address` belongs, innermost first; none
    /// without debug information.
    fn functions(&self, address: u32) -> Vec<SourceFunction> {
        let mut list = Vec::new();
        let Some(lines) = &self.lines else {
            return list;
        };
        let Ok(mut frames) = lines.find_frames(address.into()).skip_all_loads() else {
            return list;
        };
        while let Ok(Some(frame)) = frames.next() {
            list.push(SourceFunction::new(&frame));
        }
        list
    }
}

/// A function that contains an address, by the debug information. It may be inlined in another.
struct SourceFunction {
    name: String,
    file: Option<String>,
    line: Option<String>,
}

impl SourceFunction {
    fn new(frame: &addr2line::Frame<Section<'_>>) -> SourceFunction {
        let name = frame.function.as_ref().and_then(|f| f.raw_name().ok());
        let location = frame.location.as_ref();
        let file = location.and_then(|location| location.file).map(short);
        let line = location
            .and_then(|location| Some(format!("{}:{}", short(location.file?), location.line?)));
        SourceFunction {
            name: name.map_or_else(|| "?".to_owned(), |name| of_source(&name)),
            file,
            line,
        }
    }
}

/// Returns the file's name without its folders, which differ between machines.
fn short(path: &str) -> String {
    shown(path.rsplit('/').next().unwrap_or(path))
}
