/* The run to the error, step by step, with the call stack and the values. */

class RunView {
  constructor(panel) {
    this.steps = DATA.run.steps;
    this.at = -1;
    this.only = false;
    panel.classList.add("fill");
    const button = (text, title, to) => el("button", { type: "button", title, onclick: () => this.go(to()) }, text);
    this.first = button("|◀", "First step (Home)", () => this.next(-1, 1));
    this.back = button("◀", "Back (←)", () => this.next(this.at, -1));
    this.on = button("▶", "Forward (→)", () => this.next(this.at, 1));
    this.last = button("▶|", "To the error (End)", () => this.steps.length - 1);
    this.slider = el("input", { type: "range", id: "slider", min: 0, max: this.steps.length - 1, value: 0, "aria-label": "step",
      oninput: () => this.go(Number(this.slider.value)) });
    this.count = el("span", { class: "count", id: "step" });
    this.now = el("div", { class: "now", id: "now" });
    this.stack = el("ol", { class: "stack", id: "stack" });
    this.values = el("table", { class: "values", id: "values" });
    const box = el("div", { class: "list", id: "steps", tabindex: 0, "aria-label": "steps of the run" });
    const only = DATA.run.marks && el("label", { class: "count", title: "steps that the error does not depend on are passed over" },
      el("input", { type: "checkbox", id: "only", onchange: (event) => { this.only = event.target.checked; this.list.refresh(); } }), " only what matters");
    fill(panel, null, [
      !DATA.confirmed && el("p", { class: "now" }, "This run was not confirmed: it may be no run of the real program."),
      el("div", { class: "stepper" }, this.first, this.back, this.slider, this.on, this.last, this.count, only),
      this.now,
      el("div", { class: "state" }, el("div", null, el("h2", null, "Call stack"), this.stack), el("div", null, el("h2", null, "Values"), this.values)),
      box]);
    this.list = new VirtualList(box, (n) => this.row(n));
    this.list.set(this.steps.length, 60);
  }

  /* The next step in a direction, of those that matter if only these are wanted. */
  next(from, by) {
    let to = from + by;
    while (this.only && to > 0 && to < this.steps.length - 1 && !this.steps[to].m) to += by;
    return to;
  }

  go(to) {
    this.at = Math.max(0, Math.min(this.steps.length - 1, to));
    const step = this.steps[this.at], frames = this.frames(this.at);
    this.slider.value = this.at;
    this.count.textContent = `step ${this.at + 1} of ${this.steps.length}`;
    this.first.disabled = this.back.disabled = this.at === 0;
    this.on.disabled = this.last.disabled = this.at === this.steps.length - 1;
    this.now.className = step.k === "error" ? "now fault" : "now";
    clear(this.now, link(step.at), "  ", step.k === "error" ? `error: ${step.s}` : step.s);
    clear(this.stack, frames.calls.map((frame) => el("li", null, frame.f, " ", link(frame.at, `line ${frame.at[1]}`))));
    clear(this.values, frames.scopes.map((scope) => [
      el("tr", null, el("th", { colspan: 3 }, scope.name)),
      [...scope.values].map(([name, value]) => el("tr", { class: value.step !== this.at ? "" : value.fresh ? "changed" : "read", "data-name": name },
        el("td", null, name), el("td", null, value.text), el("td", null, value.note)))]));
    const changed = $("tr.changed, tr.read", this.values);
    const box = this.values.parentElement;
    if (changed) box.scrollTop += changed.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
    SOURCE.go(step.at);
    this.list.show(this.at);
  }

  /* The calls that are open at a step, the innermost first, and what is known of the values then. */
  frames(last) {
    const globals = new Map(), frames = [];
    for (let n = 0; n <= last; n++) {
      const step = this.steps[n];
      if (step.k === "omitted") continue;
      frames.length = Math.min(frames.length, step.d + 1);
      while (frames.length <= step.d) frames.push({ f: step.f, at: step.at, values: new Map() });
      const frame = frames[step.d];
      if (frame.f !== step.f && step.k !== "error") frames[step.d] = { f: step.f, at: step.at, values: new Map() };
      frames[step.d].at = step.at;
      for (const [name, text, note, scope] of step.v || []) {
        if (!name) continue;
        if (scope > step.d && !frames[scope]) {
          const inside = this.steps[n + 1];
          frames[scope] = { f: inside.f, at: inside.at, values: new Map(), coming: true };
        }
        const values = scope < 0 ? globals : (frames[scope] || frames[step.d]).values, old = values.get(name);
        values.set(name, { text, note, step: n, fresh: step.k !== "branch" && step.k !== "error" && (!old || old.text !== text || n === last) });
      }
    }
    const calls = frames.filter((frame) => !frame.coming || frame !== frames[frames.length - 1] || this.steps[last].d >= frames.length - 1);
    const scopes = frames.map((frame) => ({ name: frame.f, values: frame.values })).reverse();
    scopes.push({ name: "global", values: globals });
    return { calls: calls.slice().reverse(), scopes: scopes.filter((scope) => scope.values.size) };
  }

  row(n) {
    const step = this.steps[n];
    const cls = ["row", n === this.at && "here", step.m && "marked", step.k === "error" && "fault", this.only && !step.m && "out"];
    const values = (step.v || []).map(([name, text]) => (name ? `${name} = ${text}` : text)).join(", ");
    return el("div", { class: cls.filter(Boolean).join(" "), onclick: () => this.go(n) },
      el("span", { class: "no" }, step.m && "› ", step.k === "omitted" ? "" : step.at[1]),
      el("span", { class: "text" }, "  ".repeat(step.d), step.s, values && el("span", { class: "val" }, values)));
  }
}
