// SPDX-License-Identifier: MIT
// The script of the report, which is complete without it: shows another reference or unit of an
// answer, sorts and filters rows, shows one suite at a time, and makes long parts when they are
// opened. It computes no figure: views/panels.py writes every text and position into the page.
"use strict";

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// --- The answer of a suite -----------------------------------------------------------------------

function option(select, value, text) {
  const made = document.createElement("option");
  made.value = value;
  made.textContent = text;
  select.append(made);
}

function unitsOf(data) {
  return Object.keys(data.absolute);
}

function drawMeans(root, ticks, bars, causes) {
  all(".means thead .ticks > span", root).forEach((tick) => tick.remove());
  const axis = root.querySelector(".means .ticks");
  for (const [place, text] of ticks) {
    const tick = document.createElement("span");
    tick.style.left = `${place}%`;
    tick.textContent = text;
    axis.append(tick);
  }
  all(".means tbody tr", root).forEach((row, number) => {
    const [text, share, left, width, standing] = bars[number];
    row.classList.toggle("leads", standing !== "");
    row.querySelector("strong").textContent = text;
    row.querySelector("small").textContent = standing;
    row.querySelector(".share").textContent = share;
    const bar = row.querySelector(".mean");
    bar.setAttribute("x", `${left}%`);
    bar.setAttribute("width", `${width}%`);
    drawGrid(row.querySelector("svg"), ticks);
    drawCause(row, causes[number]);
  });
}

function drawGrid(svg, ticks) {
  const [first, ...others] = all(".grid", svg);
  others.forEach((line) => line.remove());
  for (const [place, text] of ticks) {
    const line = first.cloneNode();
    line.classList.toggle("one", text === "1");
    line.setAttribute("x1", `${place}%`);
    line.setAttribute("x2", `${place}%`);
    svg.prepend(line);
  }
  first.remove();
}

// There is no element for causes if the run has none.
function drawCause(root, text) {
  const line = root.querySelector(".because");
  if (line) line.textContent = text;
}

function drawCells(rows, cells, absolute, causes) {
  rows.forEach((row, number) => {
    all("td", row).forEach((cell, column) => {
      const [kind, text, note, order] = cells[number][column];
      cell.className = kind;
      cell.dataset.order = order;
      cell.firstElementChild.textContent = text || absolute[number][column];
      cell.children[1].textContent = note;
      drawCause(cell, causes[number][column]);
    });
  });
}

function answer(root) {
  const data = JSON.parse(document.getElementById(root.dataset.panels).textContent);
  const rows = all(".heat tbody tr", root); // in the order of the data, however they are sorted
  const [reference, unit] = all("select", root);
  data.labels.forEach((label, number) => option(reference, number, label));
  unitsOf(data).forEach((name) => option(unit, name, name === "us" ? "µs" : name));
  const draw = () => {
    const ratios = unit.value === "us" ? "cycles" : unit.value;
    const panel = data.panels.find(([of, in_]) => of === Number(reference.value) && in_ === ratios);
    const [, , parts, ticks, bars, cells] = panel;
    all(".lead > span", root).forEach((part, number) => {
      part.textContent = parts[number] ?? "";
    });
    drawMeans(root, ticks, bars, data.meanCauses[reference.value]);
    drawCells(rows, cells, data.absolute[unit.value], data.causes[reference.value]);
  };
  reference.value = data.panels[0][0];
  unit.value = unitsOf(data)[0];
  root.querySelector(".controls").hidden = false;
  root.querySelector(".controls").addEventListener("input", (event) => {
    if (event.target.type === "search") filter(rows, event.target.value);
    else draw();
  });
  draw();
  sortable(root.querySelector(".heat"), rows);
}

// Reads the data of a suite when it is first shown.
const begun = new WeakSet();

function begin(root) {
  if (begun.has(root)) return;
  begun.add(root);
  answer(root);
}

function filter(rows, text) {
  for (const row of rows) row.hidden = !row.firstElementChild.textContent.includes(text);
}

// A head is a button: the first press sorts, the next one reverses, that of the tests restores.
function sortable(table, rows) {
  const body = table.tBodies[0];
  all("thead th", table).forEach((head, column) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const order = (row) => Number(row.children[column].dataset.order ?? rows.indexOf(row));
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      all("thead th", table).forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
      body.append(...[...rows].sort((one, other) => sign * (order(one) - order(other))));
    });
  });
}

// --- Long parts ----------------------------------------------------------------------------------

// A browser without scripts shows the content of a noscript; to this one it is text.
function fill(details) {
  const content = details.querySelector(":scope > noscript");
  if (!content) return;
  const made = document.createElement("template");
  made.innerHTML = content.textContent;
  content.replaceWith(made.content);
}

// Makes and opens whatever contains the element that an address names.
function reveal(id) {
  const holder = all("noscript").find((one) => one.textContent.includes(`id="${id}"`));
  if (holder) fill(holder.parentElement);
  const target = document.getElementById(id);
  for (let at = target; at; at = at.parentElement) {
    if (at.tagName === "DETAILS") at.open = true;
    if (at.classList.contains("suite")) select(at);
  }
  return target;
}

function go() {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id) reveal(id)?.scrollIntoView();
}

// --- One suite at a time -------------------------------------------------------------------------

function select(chosen) {
  for (const suite of all(".suite")) suite.hidden = suite !== chosen;
  all(".answer", chosen).forEach(begin);
  for (const link of all("nav a")) {
    const shows = chosen.querySelector(`:scope > h2${link.getAttribute("href")}`);
    if (shows) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

addEventListener("toggle", (event) => event.target.open && fill(event.target), true);
addEventListener("hashchange", go);
const suites = all(".suite");
if (suites.length > 1) select(suites[0]);
else all(".answer").forEach(begin);
go();
