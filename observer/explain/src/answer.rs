// SPDX-License-Identifier: MIT
//! Writes the result of analyses as the JSON *answer* of docs/reference/explain-format.md.

use crate::analysis::Analysis;
use crate::code::InstructionInfo;
use crate::depth::Depth;
use crate::functions::FunctionId;
use crate::latency::{Latencies, Waits};
use crate::masking::{Extent, Masking, Sections};
use crate::samples;
use crate::tree::{Hardware, Role, Sum};
use serde_json::{json, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use ticklab_isa::{counted, Class, Flow};
use ticklab_replay::{BlockId, Core, Lane};

/// Returns the JSON answer for all spans of one run. There must be at least one span.
#[must_use]
pub fn answer(analyses: &mut [Analysis], core: &Core) -> Value {
    let spans: Vec<_> = analyses.iter_mut().map(|one| span(one, core)).collect();
    let first = &analyses[0];
    json!({
        "schema": 2,
        "notes": first.notes(),
        "starts": first.starts(core),
        "lanes": first.lanes,
        "functions": first.function_rows(),
        "tasks": first.task_rows(),
        "exceptions": first.exception_rows(core),
        "interrupts": first.interrupt_rows(core),
        "needs_more_events": first.interrupts.as_ref().is_some_and(|i| i.needs_more),
        "frame_bytes": first.frame_bytes(core),
        "spans": spans,
    })
}

fn span(analysis: &mut Analysis, core: &Core) -> Value {
    let mut code = analysis.sum_blocks(core);
    let samples = &analysis.samples;
    let count = |is: fn(&samples::Sample) -> bool| samples.iter().filter(|s| is(s)).count();
    let mut total = Sum::ZERO;
    for node in &analysis.tree.nodes {
        total.add_sum(&node.own);
    }
    let modes = samples::mode(samples)
        .map(|(length, count)| json!({"instructions": length, "samples": count}));
    for row in analysis.listing.iter().flat_map(|listing| &listing.rows) {
        code.entry(row.address).or_insert((0, Sum::ZERO));
    }
    json!({
        "name": analysis.span.name,
        "samples": samples.len(),
        "plain": count(samples::Sample::is_plain),
        "alone": analysis.span.alone,
        "summed": analysis.summed,
        "less": analysis.less.map(|sample| sample + 1),
        "ticked": count(|s| s.ticks > 0 && !s.is_warm_up),
        "foreign": count(|s| s.is_foreign && !s.is_warm_up),
        "warm_up": count(|s| s.is_warm_up),
        "total": analysis.per_lane(&total),
        "modes": modes,
        "nodes": analysis.node_rows(core),
        "code": analysis.code_rows(&code),
        "masked": analysis.masked(&analysis.masking),
        "suspended": analysis.suspended(),
        "listing": analysis.listing_rows(core),
    })
}

type Executed = BTreeMap<u32, (i64, Sum)>;

impl Analysis<'_> {
    fn per_lane(&self, sum: &Sum) -> Vec<i64> {
        sum.0[..self.lanes.len()].to_vec()
    }

    fn notes(&self) -> Vec<&'static str> {
        let mut notes = Vec::new();
        if !self.functions.has_debug {
            notes.push(
                "no debug information: no source lines and no inlined functions; build with -g",
            );
        }
        if self.functions.has_symbols {
            return notes;
        }
        notes
            .push("no symbols: functions are named by their addresses; use the image before strip");
        notes
    }

    /// Returns the addresses at which functions of an image without symbols begin: handlers, and
    /// targets of calls.
    fn starts(&self, core: &Core) -> Option<BTreeSet<u32>> {
        if self.functions.has_symbols {
            return None;
        }
        let handlers = core.handlers().into_iter().map(|(_, address)| address);
        let calls =
            self.code
                .instructions
                .values()
                .filter_map(|info| match info.instruction.flow {
                    Flow::Call { target } => Some(target),
                    _ => None,
                });
        Some(handlers.chain(calls).collect())
    }

    fn function_rows(&self) -> Vec<Value> {
        let code = self.functions.list.iter().map(|function| {
            let masks = match (function.enters, function.leaves) {
                (true, true) => Some("both"),
                (true, false) => Some("enter"),
                (false, true) => Some("leave"),
                (false, false) => None,
            };
            json!({"name": function.name, "address": function.address, "file": function.file,
                   "inlined": function.address.is_none(), "masks": masks, "kind": "code"})
        });
        let hardware = Hardware::ALL.map(|what| {
            json!({"name": what.name(), "address": null, "file": null, "inlined": false,
                   "masks": null, "kind": "hardware"})
        });
        code.chain(hardware).collect()
    }

    /// Returns the names of the tasks. Numbers distinguish tasks of the same name.
    #[must_use]
    pub fn task_names(&self) -> Vec<String> {
        let mut seen: HashMap<String, usize> = HashMap::new();
        let names = self.tasks.list.iter().map(|task| {
            let name = task.began_in.map_or("?", |id| &self.functions.get(id).name);
            let count = seen.entry(name.to_owned()).or_insert(0);
            *count += 1;
            match count {
                1 => name.to_owned(),
                _ => format!("{name}#{count}"),
            }
        });
        names.collect()
    }

    fn task_rows(&self) -> Vec<Value> {
        let tasks = self.task_names().into_iter().zip(&self.tasks.list);
        tasks
            .zip(&self.threads)
            .map(|((name, task), stack)| {
                json!({"name": name, "switches": task.switches, "stack": self.depth(&stack.depth)})
            })
            .collect()
    }

    fn depth(&self, depth: &Depth) -> Value {
        let mut path = Vec::new();
        let mut node = depth.node;
        while let Some(id) = node {
            let at = &self.tree.nodes[id.0 as usize];
            if let Role::Function(function) = at.role {
                path.push(self.functions.get(function).name.clone());
            }
            node = at.parent;
        }
        path.reverse();
        json!({"bytes": depth.deepest, "calls": path})
    }

    /// Returns the size of the largest exception frame. Floating-point instructions that are
    /// conditional do not count: kernels use them to save registers only of tasks that have
    /// floating-point state.
    fn frame_bytes(&self, core: &Core) -> u32 {
        let is_float = |info: &InstructionInfo| {
            info.instruction.class.is_float() && !info.instruction.conditional
        };
        let set = core.instruction_set();
        set.frame_bytes(self.code.instructions.values().any(is_float))
    }

    fn exception_rows(&self, core: &Core) -> Vec<Value> {
        let numbers: BTreeSet<u16> = self
            .tree
            .nodes
            .iter()
            .filter_map(|node| match node.role {
                Role::Exception(number) => Some(number),
                _ => None,
            })
            .collect();
        let row = |number| {
            let stack = self.handlers.get(&number).map(|depth| self.depth(depth));
            json!({"number": number, "name": self.exception_name(core, number), "stack": stack})
        };
        numbers.into_iter().map(row).collect()
    }

    fn interrupt_rows(&self, core: &Core) -> Option<Vec<Value>> {
        let interrupts = self.interrupts.as_ref()?;
        let row = |(&number, waits): (&u16, &Waits)| {
            json!({"number": number, "name": self.interrupt_name(core, number),
                   "taken": waits.taken, "entry": self.latency(&waits.entry),
                   "wake": self.latency(&waits.wake)})
        };
        Some(interrupts.found.iter().map(row).collect())
    }

    fn interrupt_name(&self, core: &Core, number: u16) -> String {
        let name = core.instruction_set().interrupt_name(number);
        name.unwrap_or_else(|| self.exception_name(core, number))
    }

    fn latency(&self, latencies: &Latencies) -> Option<Value> {
        let (shortest, _) = latencies.counts.first_key_value()?;
        let (longest, _) = latencies.counts.last_key_value()?;
        let info = |address: u32| self.code.instructions.get(&address);
        let after = latencies.longest_after.and_then(info).map(|info| {
            json!({"function": info.function().0, "address": info.instruction.address,
                   "line": info.line})
        });
        Some(
            json!({"count": latencies.count(), "shortest": shortest, "median": latencies.median(),
                    "longest": longest, "after": after}),
        )
    }

    /// Returns the name of an exception: that of the architecture or, if it has none, that of its
    /// handler. Adds the exception to the handler's name if exceptions share the handler, and it is
    /// known which of them were taken.
    pub(crate) fn exception_name(&self, core: &Core, number: u16) -> String {
        if let Some(name) = core.exception_name(number) {
            return name.to_owned();
        }
        let handlers = core.handlers();
        let handler = handlers.iter().find(|(known, _)| *known == number);
        let symbol = handler.and_then(|&(_, address)| self.functions.symbols.find(address));
        let Some(symbol) = symbol else {
            return format!("exception {number}");
        };
        let shares = |&(known, address): &(u16, u32)| {
            known != number && Some(address) == handler.map(|&(_, address)| address)
        };
        let is_known = self.interrupts.is_some() && handlers.iter().any(shares);
        let kind = core.instruction_set().kind(number).filter(|_| is_known);
        kind.map_or_else(
            || symbol.name.clone(),
            |kind| format!("{} ({kind})", symbol.name),
        )
    }

    fn node_rows(&self, core: &Core) -> Vec<Value> {
        let names = self.task_names();
        let totals = self.tree.totals();
        let rows = self.tree.nodes.iter().zip(&totals).map(|(node, total)| {
            let (kind, function, name) = self.describe(core, node.role, &names);
            json!({"parent": node.parent.map(|parent| parent.0), "kind": kind, "function": function,
                   "name": name, "calls": node.calls, "self": self.per_lane(&node.own),
                   "total": self.per_lane(total)})
        });
        rows.collect()
    }

    pub(crate) fn describe(
        &self,
        core: &Core,
        role: Role,
        tasks: &[String],
    ) -> (&'static str, Option<u32>, String) {
        let name = |id: FunctionId| self.functions.get(id).name.clone();
        match role {
            Role::Task(task) => ("task", None, tasks[task].clone()),
            Role::Exception(number) => ("exception", None, self.exception_name(core, number)),
            Role::Function(id) => ("function", Some(id.0), name(id)),
            Role::Inlined(id) => ("inlined", Some(id.0), name(id)),
            Role::Hardware(what) => {
                let index = self.functions.list.len() as u32 + what as u32;
                ("hardware", Some(index), what.name().to_owned())
            }
        }
    }

    /// Adds the counts of all blocks to the nodes of the call tree and to the instructions.
    fn sum_blocks(&mut self, core: &Core) -> Executed {
        let mut executed = Executed::new();
        self.arcs.add_to(&mut self.block_counts);
        for index in 0..self.block_counts.list.len() {
            self.sum_block(core, index, &mut executed);
        }
        executed
    }

    fn sum_block(&mut self, core: &Core, index: usize, executed: &mut Executed) {
        let entry = &self.block_counts.list[index];
        let range = entry.range;
        let block = core.code(BlockId(range.block as usize));
        let (from, to) = (usize::from(range.from), usize::from(range.to));
        let mut node = range.leaf;
        for segment in &self.code.blocks[range.block as usize].segments {
            let part = from.max(segment.from)..to.min(segment.to);
            if part.is_empty() {
                continue;
            }
            node = range.leaf;
            for &inlined in &segment.inlined {
                node = self.tree.child(Some(node), Role::Inlined(inlined));
            }
            for index in part {
                let mut own = Sum::ZERO;
                own.add(&(*block.sum(index + 1) - *block.sum(index)), entry.count);
                for (_, times) in entry.accesses.iter().filter(|(known, _)| *known == index) {
                    let conditional = block
                        .conditional()
                        .iter()
                        .find(|(known, _)| *known == index);
                    own.add(&conditional.expect("the access is of this block").1, *times);
                }
                if index + 1 == to {
                    own.add_sum(&entry.rest);
                }
                let row = executed.entry(block.instructions()[index].address);
                let row = row.or_insert((0, Sum::ZERO));
                row.0 += entry.count;
                row.1.add_sum(&own);
                self.tree.get(node).own.add_sum(&own);
            }
        }
        if from == to {
            self.tree.get(node).own.add_sum(&entry.rest);
        }
    }

    fn code_rows(&self, executed: &Executed) -> Vec<Value> {
        let rows = executed.iter().map(|(address, (count, own))| {
            let info = &self.code.instructions[address];
            let bytes: String = info
                .bytes
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            json!({"address": address, "bytes": bytes, "class": class(info.instruction.class),
                   "function": info.function().0, "symbol": info.symbol().0, "line": info.line,
                   "executed": count, "self": self.per_lane(own)})
        });
        rows.collect()
    }

    fn suspended(&self) -> Option<Value> {
        let is_known = self.span.suspension.is_some();
        is_known.then(|| self.masked(&self.suspension))
    }

    fn masked(&self, masking: &Masking) -> Value {
        let mut rows: Vec<_> = masking.rows.iter().collect();
        rows.sort_by_key(|(extent, row)| (std::cmp::Reverse(instructions(&row.own)), **extent));
        let mut own = Sum::ZERO;
        rows.iter().for_each(|(_, row)| own.add_sum(&row.own));
        let (low, high) = self.cycles(&own);
        let longest = rows.iter().rev().max_by_key(|(_, row)| row.longest);
        let sections: Vec<_> = rows
            .iter()
            .map(|(extent, row)| self.section(extent, row))
            .collect();
        json!({
            "count": rows.iter().map(|(_, row)| row.count).sum::<i64>(),
            "instructions": instructions(&own),
            "cycles": {"low": low, "high": high},
            "handlers": {"instructions": self.in_handlers()},
            "longest": longest.map(|(extent, row)| self.section(extent, row)),
            "sections": sections,
            "enters": masking.enters,
            "leaves": masking.leaves,
            "unknown": masking.unknown,
        })
    }

    /// Returns the low and the high bound of the cycles of a sum of tallies.
    fn cycles(&self, sum: &Sum) -> (i64, i64) {
        let lanes = self.lanes.iter().zip(&sum.0);
        let form = |each: fn(&Lane) -> Option<u32>| {
            let cost = |(lane, count): (&Lane, &i64)| count * i64::from(each(lane).unwrap_or(0));
            lanes.clone().map(cost).sum()
        };
        (form(|lane| lane.low), form(|lane| lane.high))
    }

    /// Returns the number of instructions that exception handlers executed.
    fn in_handlers(&self) -> i64 {
        let totals = self.tree.totals();
        let nodes = self.tree.nodes.iter().zip(&totals);
        let handlers = nodes.filter(|(node, _)| matches!(node.role, Role::Exception(_)));
        handlers.map(|(_, total)| instructions(total)).sum()
    }

    fn section(&self, extent: &Extent, row: &Sections) -> Value {
        let at = |address: u32| {
            let function = self.code.instructions[&address].function().0;
            json!({"function": function, "address": address})
        };
        let mut begins = at(extent.begins);
        begins["caller"] = extent.caller.into();
        json!({"begins": begins, "ends": extent.ends.map(at), "count": row.count,
               "instructions": instructions(&row.own),
               "longest": {"instructions": row.longest, "sample": row.longest_in + 1}})
    }

    fn listing_rows(&self, core: &Core) -> Option<Value> {
        let listing = self.listing.as_ref()?;
        let names = self.task_names();
        let contexts = listing.contexts.iter().map(|&role| {
            let (kind, _, name) = self.describe(core, role, &names);
            json!({"kind": kind, "name": name})
        });
        let contexts: Vec<_> = contexts.collect();
        let rows = listing.rows.iter().map(|row| {
            let (masked, executed) = (u8::from(row.is_masked), u8::from(row.is_executed));
            json!([
                row.address,
                row.context,
                row.function.0,
                row.depth,
                masked,
                executed
            ])
        });
        let rows: Vec<_> = rows.collect();
        let instructions = self.samples[listing.sample].length;
        let columns = [
            "address", "context", "function", "depth", "masked", "executed",
        ];
        Some(
            json!({"sample": listing.sample + 1, "instructions": instructions, "columns": columns,
                    "contexts": contexts, "rows": rows}),
        )
    }
}

fn instructions(sum: &Sum) -> i64 {
    sum.0[counted::INSTRUCTIONS]
}

/// Returns the name of an instruction class in kebab case: `load-multiple` for `LoadMultiple`.
fn class(class: Class) -> String {
    let mut name = String::new();
    for letter in format!("{class:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}
