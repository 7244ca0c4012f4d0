/* What the proof, or the attempt at one, consists of: predicates, tree, elements, automata, Boolean program. */

const MOST_SHOWN = 160, MOST_AUTOMATON = 900;

const LESSONS = {
  tree: "Each node is a place of the program with a region: a set of states, said with predicates. Its children are what the program can do from there. " +
    "A covered node (dashed) says nothing that other nodes of its place do not say already. When every node is expanded or covered and none allows an error, no run reaches one.",
  elements: "The fixpoint has one element for each place of the program: what holds whenever a run is there. The cases are alternatives, of which one holds. No element is left at an error, so no run comes there.",
  cells: "Each fact holds whenever a run is at the loop. A quantified one speaks of all elements of an array, or of all nodes of the heap. Candidates were made from the program, and those that are not inductive together were dropped; shown are those that the proof needs.",
  shapes: "A shape is what memory looks like at a loop: variables, objects, and list segments that stand for lists of any length. Arrows are pointers, with the offset that they are stored at. " +
    "When a round of the loop leads to no shape that is not there already, all lists are covered.",
  boolean: "The Boolean program has the control flow of the C program, and a variable {p} for each predicate p. It has all runs of the C program and maybe more, so if none of them fails, none of C does. Choose a line to see its source.",
  automata: "Control flow automata, as the engine works on them: circles are locations, boxes what is executed between them, [in brackets] conditions that are taken.",
};

function predicatesTable(items) {
  return el("table", { class: "facts" }, items.map((item) => el("tr", null, el("th", null, item.where, " ", link(item.at)),
    el("td", { class: "mono" }, item.texts.map((text) => el("div", null, text))))));
}

function proofPanel(panel, engine) {
  fill(panel, null, [
    el("p", { class: "note" }, `What the ${engine.name} engine ${DATA.verdict === "TRUE" ? "proved it with" : "had so far"}.`),
    engine.facts.length > 0 && el("ul", null, engine.facts.map((fact) => el("li", null, fact))),
    DATA.invariants.length > 0 && [el("h2", null, "Invariants"), invariantsTable(el("table", { class: "facts" }))],
    engine.predicates.length > 0 && [el("h2", null, engine.name === "cells" ? "Facts about cells" : "Tracked"), engine.name === "cells" && el("p", { class: "lesson" }, LESSONS.cells), predicatesTable(engine.predicates)],
    engine.elements.length > 0 && [el("h2", null, "Domain elements"), el("p", { class: "lesson" }, LESSONS.elements), elements(engine)],
    !engine.facts.length && !DATA.invariants.length && !engine.predicates.length && !engine.elements.length &&
      el("p", { class: "note" }, engine.tree ? "The tree needed no predicates: what is known of numbers anyway was enough." : "This engine has left nothing to show here.")]);
}

function standingTable(table) {
  return clear(table, DATA.standing.map((item) => el("tr", null, el("th", null, item.engine),
    el("td", null, item.text && el("div", null, item.text), item.at.map(([at, text]) => el("div", { class: "stands" }, text, " ", link(at)))))));
}

function invariantsTable(table) {
  return clear(table, DATA.invariants.map((item) => el("tr", null,
    el("th", null, link(item.at), " ", item.function, item.calls.map((call) => el("div", { class: "note" }, call))), el("td", { class: "mono" }, item.text))));
}

function elements(engine) {
  const shown = 80, rows = (items) => items.map((item) => el("tr", { "data-element": `${item.f}:${item.i}` },
    el("th", null, link(item.at), " ", [...(item.calls || []), item.f].join(" › "), item.head && el("b", { title: "loop head" }, " ↻")),
    el("td", { class: "mono" }, item.cases.map((text, n) => el("div", null, item.cases.length > 1 && el("span", { class: "note" }, `${n + 1}. `), text)))));
  const table = el("table", { class: "facts", id: "elements" }, rows(engine.elements.slice(0, shown)));
  const more = engine.elements.slice(shown);
  const button = more.length > 0 && el("button", { type: "button", onclick: () => { button.remove(); fill(table, null, rows(more)); } }, `${plural(more.length, "more place")}`);
  return [table, button];
}

/* --- the tree ---------------------------------------------------------------------------------- */

class TreeView {
  constructor(box, details, tree, most = MOST_SHOWN) {
    this.tree = tree;
    this.details = details;
    this.byNumber = new Map(tree.nodes.map((node) => [node.n, { ...node, children: [], open: true }]));
    for (const node of this.byNumber.values()) if (this.byNumber.has(node.p)) this.byNumber.get(node.p).children.push(node);
    const nodes = [...this.byNumber.values()], first = nodes[0];
    if (nodes.length > most) {  /* as many levels as there is room for */
      let level = [first], count = 1;
      while (level.length && count + level.reduce((sum, node) => sum + node.children.length, 0) <= most) {
        level = level.flatMap((node) => node.children);
        count += level.length;
      }
      const close = (node) => { node.open = false; };
      level.forEach(close);
      level.flatMap((node) => below(node)).forEach(close);
    }
    this.graph = new GraphView(box, (id) => this.tell(this.byNumber.get(id)));
    this.draw();
  }

  draw() {
    const path = new Set(this.tree.path), nodes = [], edges = [], todo = [this.byNumber.values().next().value];
    while (todo.length) {
      const node = todo.pop();
      if (!node) break;
      const region = node.r === "1" ? "true" : node.r, hidden = node.open ? 0 : below(node).length;
      const lines = [`${node.n}  ${node.f}:${node.at[1]}`, shortened(region, 34)];
      if (hidden) lines.push(`+ ${hidden} below`);
      const cls = [node.s, path.has(node.n) && "onpath", node.n === this.tree.pivot && "pivot"];
      nodes.push(boxFor(node.n, lines, { cls: cls.filter(Boolean).join(" "), parent: node.p, sub: 1 }));
      if (node.open) for (const child of node.children) {
        edges.push({ from: node.n, to: child.n, cls: path.has(node.n) && path.has(child.n) ? "onpath" : "" });
      }
      if (node.by) edges.push({ from: node.n, to: node.by[0], cls: "covers", title: `covered by ${node.by.join(", ")}` });
      if (node.open) todo.push(...node.children.slice().reverse());
    }
    this.graph.draw(nodes, edges, treeLayout);
  }

  tell(node) {
    SOURCE.go(node.at);
    const states = { expanded: "expanded", covered: "covered", open: "not visited", error: "its region allows a step to an error" };
    clear(this.details,
      el("h3", null, `Node ${node.n}: ${[...(node.calls || []), node.f].join(" › ")} `, link(node.at)),
      el("table", { class: "facts" },
        el("tr", null, el("th", null, "region"), el("td", { class: "mono", id: "region" }, node.r)),
        el("tr", null, el("th", null, "state"), el("td", null, states[node.s], node.by && ` by ${node.by.join(", ")}`)),
        node.preds && el("tr", null, el("th", null, "predicates"), el("td", { class: "mono" }, node.preds.map((text) => el("div", null, text))))),
      node.children.length > 0 && el("button", { type: "button", onclick: () => { node.open = !node.open; this.draw(); this.graph.select(node.n, true); } },
        node.open ? "Fold what is below" : "Unfold"));
  }
}

function below(node) {
  const found = [], todo = node.children.slice();
  while (todo.length) { const next = todo.pop(); found.push(next); todo.push(...next.children); }
  return found;
}

function treePanel(panel, engine) {
  panel.classList.add("fill");
  const box = el("div", { class: "graph", id: "tree" }), details = el("div", { class: "details", id: "node" }, el("p", { class: "lesson" }, LESSONS.tree));
  const left = engine.tree.left_out;
  fill(panel, null, [el("div", { class: "picker" }, plural(engine.tree.nodes.length, "node"), left > 0 && `, and ${left} more that are not shown`,
    engine.tree.nodes.length > MOST_SHOWN && "; the first levels are unfolded"), box, details]);
  return () => new TreeView(box, details, engine.tree);
}

/* --- shapes of memory ---------------------------------------------------------------------------- */

function shapesPanel(panel, engine) {
  panel.classList.add("fill");
  const box = el("div", { class: "graph", id: "shapes" }), details = el("div", { class: "details" }, el("p", { class: "lesson" }, LESSONS.shapes));
  const where = (shape) => [...(shape.calls || []), shape.f].join(" › ");
  const choice = el("select", { id: "shape", onchange: () => show() }, engine.shapes.map((shape, n) =>
    el("option", { value: n }, `line ${shape.at[1]} (${where(shape)}), ${plural(shape.nodes.length, "object")}`)));
  const back = el("button", { type: "button", title: "The shape before", onclick: () => turn(-1) }, "◀");
  const on = el("button", { type: "button", title: "The next shape", onclick: () => turn(1) }, "▶");
  fill(panel, null, [el("div", { class: "picker" }, el("label", null, "Shape ", choice), back, on, plural(engine.shapes.length, "shape")), box, details]);
  const turn = (by) => { choice.value = (Number(choice.value) + by + engine.shapes.length) % engine.shapes.length; show(); };
  let graph = null, shape = null;
  const tell = (id) => {
    const node = shape.nodes.find((one) => one[0] === id), out = shape.pointers.filter((pointer) => pointer[0] === id);
    clear(details, el("h3", null, node[2]), el("div", { class: "mono" }, node.slice(3).map((text) => el("div", null, text))),
      out.map(([, to, text]) => el("div", { class: "mono" }, `${text || "it"} → ${shape.nodes.find((one) => one[0] === to)[2]}`)));
  };
  const show = () => {
    shape = engine.shapes[Number(choice.value)];
    SOURCE.go(shape.at);
    graph = graph || new GraphView(box, tell);
    const nodes = shape.nodes.map(([id, kind, ...lines]) => boxFor(id, lines.slice(0, 7).map((line) => shortened(line, 60)), { cls: `shape ${kind}`, sub: 1, round: kind === "null" }));
    graph.draw(nodes, shape.pointers.map(([from, to, text]) => ({ from, to, title: text })), layered);
    clear(details, el("p", { class: "lesson" }, LESSONS.shapes), shape.left_out > 0 && el("p", { class: "note" }, `${plural(shape.left_out, "more object")} not shown.`));
  };
  return show;
}

/* --- automata ---------------------------------------------------------------------------------- */

/* Locations where something branches or meets, and what happens on the way between them. */
function automatonGraph(automaton) {
  const out = new Map(), into = new Map();
  for (const edge of automaton.edges) {
    out.set(edge[0], [...(out.get(edge[0]) || []), edge]);
    into.set(edge[1], (into.get(edge[1]) || 0) + 1);
  }
  const heads = new Set(automaton.heads);
  const kept = (n) => n === automaton.entry || n === automaton.exit || heads.has(n) || (out.get(n) || []).length !== 1 || into.get(n) !== 1;
  const nodes = [], edges = [], ways = new Map(), todo = [automaton.entry], seen = new Set(todo);
  while (todo.length && nodes.length < MOST_AUTOMATON) {
    const from = todo.shift();
    const fails = (out.get(from) || []).length === 0 && from !== automaton.exit;
    nodes.push(boxFor(`L${from}`, [String(from)], { w: 34, h: 26, round: true, centre: true,
      cls: from === automaton.entry ? "entry" : heads.has(from) ? "head" : from === automaton.exit ? "exit" : fails ? "" : "" }));
    (out.get(from) || []).forEach((first, number) => {
      const way = [first];
      while (!kept(way[way.length - 1][1])) way.push(out.get(way[way.length - 1][1])[0]);
      const id = `E${from}.${number}`, to = way[way.length - 1][1];
      const lines = way.slice(0, 6).map((edge) => shortened(edge[2], 46));
      if (way.length > 6) lines.push(`… ${way.length - 6} more`);
      ways.set(id, way);
      nodes.push(boxFor(id, lines, { cls: way.some((edge) => edge[3] === "error") ? "ops error" : "ops" }));
      edges.push({ from: `L${from}`, to: id }, { from: id, to: `L${to}` });
      if (!seen.has(to)) { seen.add(to); todo.push(to); }
    });
  }
  return { nodes, edges, ways, whole: !todo.length };
}

function automataPanel(panel, engine) {
  panel.classList.add("fill");
  const box = el("div", { class: "graph", id: "automaton" });
  const details = el("div", { class: "details" }, el("p", { class: "lesson" }, LESSONS.automata));
  const choice = el("select", { id: "function", onchange: () => show() }, engine.automata.map((one, n) => el("option", { value: n }, `${one.name} (${one.edges.length})`)));
  const note = el("span");
  fill(panel, null, [el("div", { class: "picker" }, el("label", null, "Function ", choice), plural(engine.automata.length, "function"), note), box, details]);
  let graph = null, found = null, automaton = null;
  const at = (index) => (automaton.edges.find((edge) => edge[0] === index) || automaton.edges.find((edge) => edge[1] === index) || [0, 0, "", "", ...automaton.at]).slice(4);
  const tell = (id) => {
    if (found.ways.has(id)) {
      const way = found.ways.get(id);
      SOURCE.go(way[0].slice(4));
      clear(details, el("table", { class: "facts" }, way.map((edge) => el("tr", null, el("th", null, `${edge[0]} → ${edge[1]} `, link(edge.slice(4))), el("td", { class: "mono" }, edge[2])))));
      return;
    }
    const index = Number(id.slice(1)), where = `${automaton.name}:${index}`;
    const tracked = engine.predicates.filter((item) => item.where === where);
    const here = engine.elements.filter((item) => item.f === automaton.name && item.i === index);
    const nodes = (engine.tree ? engine.tree.nodes : []).filter((node) => node.f === automaton.name && node.i === index);
    SOURCE.go(at(index));
    clear(details, el("h3", null, `Location ${where} `, link(at(index))),
      automaton.heads.includes(index) && el("p", null, "A loop head."),
      tracked.length > 0 && [el("h2", null, "Tracked here"), predicatesTable(tracked)],
      here.length > 0 && [el("h2", null, "Element"), here.slice(0, 5).map((item) => item.cases.map((text) => el("div", { class: "mono" }, text)))],
      nodes.length > 0 && el("p", { class: "note" }, `Nodes of the tree: ${nodes.slice(0, 20).map((node) => node.n).join(", ")}${nodes.length > 20 ? " …" : ""}`));
  };
  const show = () => {
    automaton = engine.automata[Number(choice.value)];
    found = automatonGraph(automaton);
    note.textContent = found.whole ? "" : `The first ${MOST_AUTOMATON} nodes are drawn.`;
    graph = graph || new GraphView(box, tell);
    graph.draw(found.nodes, found.edges, layered);
  };
  return show;
}

/* --- the Boolean program ------------------------------------------------------------------------ */

function booleanPanel(panel, engine) {
  panel.classList.add("fill");
  const box = el("div", { class: "list", id: "boolean", tabindex: 0 });
  fill(panel, null, [el("div", { class: "details" }, el("p", { class: "lesson" }, LESSONS.boolean)), box]);
  const places = new Map(DATA.sources.map((source, n) => [source.name, n]));
  let at = null;
  const lines = engine.boolean.split("\n").map((text) => {
    const found = /^\s*\/\/ (.*?):(\d+)  /.exec(text);
    if (found && places.has(found[1])) at = [places.get(found[1]), Number(found[2])];
    else if (/^\S/.test(text)) at = null;
    return { text, at, comment: /^\s*\/\//.test(text) };
  });
  let chosen = null;
  const list = new VirtualList(box, (n) => {
    const line = lines[n], here = chosen && line.at && line.at[0] === chosen[0] && line.at[1] === chosen[1];
    return el("div", { class: here ? "row here" : "row", onclick: () => { if (line.at) { chosen = line.at; SOURCE.go(line.at); list.refresh(); } } },
      el("span", { class: "no" }, n + 1), el("span", { class: line.comment ? "text c" : "text" },
        line.comment ? line.text : line.text.split(/(\b(?:decl|begin|end|skip|goto|branch|assume|assert|enforce|return|if|then|else|fi|while|do|od|void|bool|choose|F|T)\b(?![^{]*\})|\{[^}]*\})/).map((part, p) =>
          p % 2 ? el("span", { class: part.startsWith("{") ? "f" : "k" }, part) : part)));
  });
  SOURCE.listeners.push((place, told) => {
    if (!told) return;
    chosen = place;
    const first = lines.findIndex((line) => line.at && line.at[0] === place[0] && line.at[1] === place[1]);
    if (first >= 0) list.show(first);
    else list.refresh();
  });
  return () => list.set(lines.length, Math.max(...lines.map((line) => line.text.length)));
}
