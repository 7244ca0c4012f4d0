/* The source: only the lines in sight are elements, and what nobody needs is folded. */

const CONTEXT = 3, LEAST_FOLD = 8, LONG_FILE = 1500, LETTER_WIDTH = 7.6, MARGIN = 130;

class SourceView {
  constructor() {
    this.sources = DATA.sources.map((source) => ({ ...source, opened: new Set(),
      keptSet: new Set(source.kept), codeSet: new Set(source.code), reachedSet: new Set(source.reached), ranSet: new Set() }));
    for (const step of DATA.run ? DATA.run.steps : [])
      if (step.k !== "omitted") this.sources[step.at[0]].ranSet.add(step.at[1]);
    this.invariants = this.sources.map(() => new Map());
    for (const item of DATA.invariants) {
      const here = this.invariants[item.at[0]];
      here.set(item.at[1], [...(here.get(item.at[1]) || []), item]);
    }
    this.list = new VirtualList($("#code"), (n) => this.row(n));
    this.current = null;
    this.listeners = [];
    const choice = $("#file");
    this.sources.forEach((source, n) => {
      if (source.lines) choice.append(el("option", { value: n, title: source.name }, baseName(source.name)));
    });
    choice.addEventListener("change", () => this.open(Number(choice.value)));
    this.fold = this.sources.some((source) => (source.lines || []).length > LONG_FILE);
    $("#fold").checked = this.fold;
    $("#fold").addEventListener("change", (event) => this.setFold(event.target.checked));
    this.file = this.sources.findIndex((source) => source.lines);
    this.legend();
    if (this.file >= 0) this.open(this.file);
    else $("#code").append(el("p", { class: "note" }, "The source could not be read."));
  }

  legend() {
    const any = (name) => this.sources.some((source) => source[name].size);
    clear($("#legend"),
      any("keptSet") && el("span", { class: "dot-kept", title: "the part of the program that the property depends on" }, el("i"), "kept by the slice"),
      any("ranSet") ? el("span", { class: "dot-run", title: "lines that the run comes to" }, el("i"), "run")
        : any("reachedSet") && el("span", { class: "dot-reached", title: "lines that the engine's abstraction or search comes to" }, el("i"), "reached"));
  }

  setFold(fold) {
    this.fold = fold;
    $("#fold").checked = fold;
    for (const source of this.sources) source.opened.clear();
    const line = this.current && this.current[0] === this.file ? this.current[1] : null;
    this.open(this.file);
    if (line) this.show(line);
  }

  open(file) {
    this.file = file;
    const source = this.sources[file];
    $("#file").value = file;
    $("#folding").hidden = !source.codeSet.size || source.lines.length < 40;
    this.rows = this.fold && source.codeSet.size ? this.folded(source) : this.all(1, source.lines.length, []);
    this.where = new Map();
    this.rows.forEach((row, n) => { if (row.line) this.where.set(row.line, n); });
    let widest = 0;
    for (const line of source.lines) if (line.length > widest) widest = line.length;
    this.list.set(this.rows.length, widest);
  }

  all(from, to, rows) {
    const invariants = this.invariants[this.file], wide = Math.max(40, ($("#code").clientWidth - MARGIN) / LETTER_WIDTH);
    for (let line = from; line <= to; line++) {
      rows.push({ line });
      for (const item of invariants.get(line) || [])
        wrapped(item.text, wide).forEach((text, n) => rows.push({ text, item, first: n === 0 }));
    }
    return rows;
  }

  folded(source) {
    const wanted = new Uint8Array(source.lines.length + 2), rows = [];
    const want = (line) => {
      for (let n = Math.max(1, line - CONTEXT); n <= Math.min(source.lines.length, line + CONTEXT); n++) wanted[n] = 1;
    };
    source.keptSet.forEach(want);
    source.ranSet.forEach(want);
    for (const line of this.invariants[this.file].keys()) want(line);
    source.opened.forEach((line) => { wanted[line] = 1; });
    for (let line = 1; line <= source.lines.length;) {
      let end = line;
      while (end <= source.lines.length && wanted[end] === wanted[line]) end++;
      if (!wanted[line] && end - line >= LEAST_FOLD) rows.push({ from: line, to: end - 1 });
      else this.all(line, end - 1, rows);
      line = end;
    }
    return rows;
  }

  row(n) {
    const row = this.rows[n], source = this.sources[this.file];
    if (row.from) return el("div", { class: "row fold", onclick: () => this.unfold(row) }, el("span", { class: "no" }, "⋯"),
      el("span", { class: "text" }, `${plural(row.to - row.from + 1, "line")} folded, ${row.from} to ${row.to}`));
    if (row.item) return el("div", { class: "row invariant", title: invariantTitle(row.item) }, el("span", { class: "no" }),
      el("span", { class: "text" }, row.first ? "invariant: " : "", el("b", null, row.text)));
    const line = row.line, here = this.current && this.current[0] === this.file && this.current[1] === line;
    const fault = DATA.error && DATA.error[0] === this.file && DATA.error[1] === line;
    const kept = source.keptSet.has(line), code = source.codeSet.has(line);
    const cls = ["row", fault && "fault", here && "here", kept && "kept", code && !kept && "out",
      source.ranSet.has(line) ? "ran" : !DATA.run && source.reachedSet.has(line) && "reached"];
    return el("div", { class: cls.filter(Boolean).join(" "), "data-line": line },
      el("span", { class: "no", onclick: () => this.go([this.file, line], true) }, line),
      el("span", { class: "text" }, coloured(source.lines[line - 1], source.colours[line - 1])));
  }

  unfold(row) {
    const top = this.list.box.scrollTop;
    for (let line = row.from; line <= row.to; line++) this.sources[this.file].opened.add(line);
    this.open(this.file);
    this.list.box.scrollTop = top;
    this.list.refresh();
  }

  /* Go to a place [file, line]; `told` if it was chosen in the source itself. */
  go(at, told = false) {
    if (!at || !this.sources[at[0]].lines) return;
    this.current = at;
    if (at[0] !== this.file) this.open(at[0]);
    this.show(at[1]);
    for (const listener of this.listeners) listener(at, told);
  }

  show(line) {
    if (!this.where.has(line)) {
      const fold = this.rows.find((row) => row.from <= line && line <= row.to);
      if (!fold) return;
      this.unfold(fold);
    }
    this.list.show(this.where.get(line));
  }
}

function coloured(text, colours) {
  const parts = [];
  let at = 0;
  for (const [, length, colour] of (colours || "").matchAll(/(\d+)([a-z-])/g)) {
    const part = text.slice(at, at + Number(length));
    parts.push(colour === "-" ? part : el("span", { class: colour }, part));
    at += Number(length);
  }
  parts.push(text.slice(at));
  return parts;
}

/* A long condition in lines, broken at its connectives. */
function wrapped(text, wide) {
  const lines = [];
  for (const part of text.split(/(?<=&&|\|\|) /)) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + part.length < wide) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(part);
  }
  return lines.slice(0, 12);
}

const invariantTitle = (item) =>
  [`holds whenever a run is at this loop of ${item.function}`, ...item.calls.map((call) => `called by ${call}`)].join(", ");

const ONE_FILE = DATA.sources.filter((source) => source.lines).length === 1;

function link(at, text) {
  if (!at) return "";
  const place = ONE_FILE ? `line ${at[1]}` : `${shortened(baseName(DATA.sources[at[0]].name), 28)}:${at[1]}`;
  return el("a", { class: "at", tabindex: 0, role: "link", title: `${DATA.sources[at[0]].name}:${at[1]}`, onclick: () => SOURCE.go(at),
    onkeydown: (event) => { if (event.key === "Enter") SOURCE.go(at); } }, text || place);
}
