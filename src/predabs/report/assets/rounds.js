/* The rounds of refinement, one by one. */

const ROUND_LESSONS = {
  lazy: "The tree was built with the predicates so far, and an error looked possible. The path to it is impossible in the program: the marked steps, its core, contradict each other. From why they do, new predicates are found; they are tracked from the pivot on, where the tree is built again.",
  slam: "The Boolean program of the predicates so far has a run to an error. As a path of the C program it is impossible: the marked steps contradict each other. The predicates that say why are added, and a more precise Boolean program is made.",
  numpred: "The fixpoint with what was tracked so far reaches an error. The path is impossible in the program: the marked steps contradict each other. So more is tracked: numbers, predicates, or a more precise domain.",
  feasible: "The path to the error is possible: its formula has a solution, which gives the inputs of a run. The run is then replayed in the interpreter.",
  together: "Single paths teach one thing at a time. So now invariants of all loops are asked for together, as a solution of Horn clauses. Their parts are the new predicates, and the tree is built again with them.",
  kinduction: "If no k steps in a row, from whatever state that satisfies the known facts, end in an error, no run does. Where that fails, k grows, or more facts are needed.",
  bounded: "All runs are followed up to a number of rounds of each loop. If something goes on beyond that, the number is doubled.",
};

class RoundsView {
  constructor(panel, engine) {
    this.engine = engine;
    this.rounds = engine.rounds;
    this.at = 0;
    panel.classList.add("fill");
    this.back = el("button", { type: "button", title: "Back (←)", onclick: () => this.go(this.at - 1) }, "◀");
    this.on = el("button", { type: "button", title: "Forward (→)", onclick: () => this.go(this.at + 1) }, "▶");
    this.slider = el("input", { type: "range", min: 0, max: Math.max(0, this.rounds.length - 1), value: 0, "aria-label": "round", oninput: () => this.go(Number(this.slider.value)) });
    this.count = el("span", { class: "count", id: "round" });
    this.body = el("div", { class: "panel shown", id: "round-body" });
    fill(panel, null, [el("div", { class: "stepper" }, this.back, this.slider, this.on, this.count), this.body]);
  }

  go(to) {
    this.at = Math.max(0, Math.min(this.rounds.length - 1, to));
    const round = this.rounds[this.at], left = this.engine.rounds_left_out;
    this.slider.value = this.at;
    this.back.disabled = this.at === 0;
    this.on.disabled = this.at === this.rounds.length - 1;
    this.count.textContent = `round ${this.at + 1} of ${this.rounds.length + left}`;
    const together = round.notes.some((note) => note.includes("Horn clauses")), feasible = round.notes.includes("the path is feasible");
    const lesson = feasible ? ROUND_LESSONS.feasible : together && !round.path.length ? ROUND_LESSONS.together : ROUND_LESSONS[this.engine.name];
    const box = round.tree && el("div", { class: "graph" }), details = el("div");
    clear(this.body,
      el("h3", null, round.title),
      lesson && el("p", { class: "lesson" }, lesson),
      round.notes.length > 0 && el("ul", null, round.notes.map((note) => el("li", null, note))),
      round.path.length > 0 && [el("h2", null, feasible ? "The path" : "The spurious path"),
        el("ol", { class: "path", id: "path" }, round.path.map((step) => el("li", { class: step.core ? "core" : "", title: step.core ? "in the core" : "", onclick: () => SOURCE.go(step.at) },
          el("span", { class: "line" }, step.at[1]), el("span", null, step.s), el("span", { class: "in" }, step.f)))),
        round.left_out > 0 && el("p", { class: "note" }, `${plural(round.left_out, "more step")} not shown.`)],
      round.clauses.length > 0 && [el("h2", null, "The clauses"), el("p", { class: "note" }, "I(place) is the invariant that is looked for there. No single path is refuted in this round."),
        el("ol", { class: "clauses mono", id: "clauses" }, round.clauses.map((text) => el("li", null, text)))],
      round.new.length > 0 && [el("h2", null, round.clauses.length ? "New, from their solution" : "New"), el("div", { class: "new", id: "new" }, predicatesTable(round.new))],
      box && [el("h2", null, "The tree before it"), box, details],
      round.boolean && el("details", null, el("summary", null, "The Boolean program of this round"), el("pre", { class: "pre" }, round.boolean)));
    if (box) requestAnimationFrame(() => new TreeView(box, details, round.tree));
    this.body.scrollTop = 0;
  }
}
