/* Where the time went: a bar for each engine, with its phases. */

function timePanel(panel) {
  const time = DATA.time, names = [...new Set([...time.phases.map((p) => p[0]), ...time.engines.flatMap((e) => e.phases.map((p) => p[0]))])];
  const colour = (name) => name === "other" ? "var(--p8)" : `var(--p${names.indexOf(name) % 8})`;
  const sum = (phases) => phases.reduce((total, phase) => total + phase[1], 0);
  const other = time.seconds - sum(time.phases), phases = other > 0.005 ? [...time.phases, ["other", other]] : time.phases;
  names.push("other");
  const bars = [["whole check", phases], ...(time.engines.length > 1 ? time.engines.map((e) => [e.name, e.phases]) : [])];
  const longest = Math.max(0.001, ...bars.map(([, parts]) => sum(parts)));
  const left = 110, width = 480, row = 30;
  const chart = svg("svg", { class: "chart", viewBox: `0 0 ${left + width + 70} ${bars.length * row + 6}`, role: "img", "aria-label": "seconds by phase" },
    bars.map(([name, parts], n) => {
      let x = left;
      return svg("g", { transform: `translate(0 ${n * row})` }, svg("text", { x: left - 10, y: 18, "text-anchor": "end" }, name),
        parts.map(([phase, seconds]) => {
          const w = (seconds / longest) * width, bar = svg("rect", { x, y: 4, width: Math.max(w, 0.5), height: 20, fill: colour(phase) }, svg("title", null, `${phase}: ${seconds.toFixed(2)} s`));
          x += w;
          return bar;
        }), svg("text", { x: x + 8, y: 18, class: "soft" }, `${sum(parts).toFixed(2)} s`));
    }));
  fill(panel, null, [
    el("p", { class: "note" }, `${time.seconds.toFixed(2)} s in all. Phases add up over engines, which may run side by side, each in a process of its own.`),
    chart,
    el("h2", null, "Phases"),
    el("table", { class: "facts" }, phases.map(([name, seconds]) => el("tr", null,
      el("td", null, el("span", { class: "swatch", style: `background:${colour(name)}` }), name), el("td", { class: "num" }, `${seconds.toFixed(2)} s`)))),
    el("h2", null, "In native code"),
    el("table", { class: "facts" }, time.native.map(([name, seconds]) => el("tr", null, el("td", null, name), el("td", { class: "num" }, `${seconds.toFixed(2)} s`)))),
    time.engines.length > 0 && [el("h2", null, "Engines"),
      el("table", { class: "facts" }, el("tr", null, ["engine", "solver calls", "in the solver", "predicates", "nodes", "refinements"].map((text, n) => el("th", { class: n ? "num" : "" }, text))),
        time.engines.map((e) => el("tr", null, el("td", null, e.name), [e.solver[0], `${e.solver[1].toFixed(2)} s`, e.predicates, e.nodes, e.refinements].map((value) => el("td", { class: "num" }, value)))))]]);
}
