/* A drawing of a graph that one can zoom, move and ask. */

const LETTER = 6.95, LINE = 15;

/* A box for lines of text; `sub` are lines in small letters. */
function boxFor(id, lines, more) {
  const longest = Math.max(3, ...lines.map((line, n) => line.length * (more.sub && n >= more.sub ? 0.92 : 1)));
  return { id, lines, w: longest * LETTER + 18, h: lines.length * LINE + 10, ...more };
}

class GraphView {
  constructor(box, choose) {
    this.box = box;
    this.choose = choose;
    this.scale = 1; this.x = 0; this.y = 0;
    this.canvas = svg("g");
    this.svg = svg("svg", { role: "group", "aria-label": "graph", tabindex: 0 },
      svg("defs", null, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
        svg("path", { d: "M0 0 L8 4 L0 8 z", fill: "var(--faint)" }))), this.canvas);
    box.append(this.svg, el("div", { class: "zoom" },
      el("button", { type: "button", title: "Zoom in (+)", onclick: () => this.zoom(1.25) }, "+"),
      el("button", { type: "button", title: "Zoom out (-)", onclick: () => this.zoom(0.8) }, "−"),
      el("button", { type: "button", title: "All of it (0)", onclick: () => this.fit(true) }, "Fit")));
    this.listen();
  }

  listen() {
    let from = null;
    this.svg.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX - this.x, y: event.clientY - this.y, moved: false, px: event.clientX, py: event.clientY };
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!from || !event.buttons) return;
      if (Math.hypot(event.clientX - from.px, event.clientY - from.py) > 4 && !from.moved) {
        from.moved = true;
        this.svg.setPointerCapture(event.pointerId);
      }
      if (!from.moved) return;
      this.x = event.clientX - from.x; this.y = event.clientY - from.y;
      this.apply();
    });
    this.svg.addEventListener("pointerup", () => { from = null; });
    this.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const around = this.svg.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 400), event.clientX - around.left, event.clientY - around.top);
    }, { passive: false });
    this.svg.addEventListener("keydown", (event) => {
      const move = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
      if (move) { this.x += move[0]; this.y += move[1]; this.apply(); }
      else if (event.key === "+" || event.key === "=") this.zoom(1.25);
      else if (event.key === "-") this.zoom(0.8);
      else if (event.key === "0") this.fit(true);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  draw(nodes, edges, layout) {
    const found = layout(nodes, edges);
    this.size = found;
    this.nodes = new Map();
    const lines = found.routes.map(({ edge, points, around }) => svg("path", {
      class: `edge ${edge.cls || ""}`, d: route(points, around), "marker-end": "url(#arrow)" },
      edge.title && svg("title", null, edge.title)));
    const boxes = nodes.map((node) => {
      const at = found.places.get(node.id);
      const group = svg("g", { class: `node ${node.cls || ""}`, transform: `translate(${at.x - node.w / 2} ${at.y - node.h / 2})`,
        tabindex: 0, role: "button", "data-id": node.id, "aria-label": node.lines.join(" "),
        onclick: () => this.select(node.id),
        onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); this.select(node.id); } } },
        svg("rect", { width: node.w, height: node.h, rx: node.round ? node.h / 2 : 6 }),
        node.lines.map((line, n) => svg("text", { x: node.centre ? node.w / 2 : 9, y: 17 + n * LINE, "text-anchor": node.centre ? "middle" : null,
          class: node.sub && n >= node.sub ? "sub" : null }, line)));
      this.nodes.set(node.id, group);
      return group;
    });
    this.canvas.replaceChildren(...lines, ...boxes);
    this.fit(false);
  }

  select(id, quietly) {
    for (const node of this.nodes.values()) node.classList.remove("chosen");
    const node = this.nodes.get(id);
    if (node) node.classList.add("chosen");
    if (!quietly) this.choose(id);
    requestAnimationFrame(() => this.reveal(id));
  }

  /* What is told of a node may need room: the node itself stays in sight. */
  reveal(id) {
    const at = this.size.places.get(id), margin = 50;
    if (!at) return;
    const x = this.x + at.x * this.scale, y = this.y + at.y * this.scale;
    this.x += Math.max(0, margin - x) - Math.max(0, x - (this.svg.clientWidth - margin));
    this.y += Math.max(0, margin - y) - Math.max(0, y - (this.svg.clientHeight - margin));
    this.apply();
  }

  apply() { this.canvas.setAttribute("transform", `translate(${this.x} ${this.y}) scale(${this.scale})`); }

  zoom(factor, x = this.svg.clientWidth / 2, y = this.svg.clientHeight / 2) {
    const scale = Math.min(4, Math.max(0.02, this.scale * factor)), by = scale / this.scale;
    this.x = x - (x - this.x) * by;
    this.y = y - (y - this.y) * by;
    this.scale = scale;
    this.apply();
  }

  /* All of it; or, where that would be too small to read, the beginning. */
  fit(whole) {
    const width = this.svg.clientWidth || 600, height = this.svg.clientHeight || 400;
    if (!this.size) return;
    const scale = Math.min((width - 40) / this.size.width, (height - 40) / this.size.height, 1.15);
    this.scale = whole ? Math.max(scale, 0.02) : Math.max(scale, 0.72);
    const first = this.size.places.values().next().value || { x: 0 };
    this.x = this.size.width * this.scale > width - 40 && !whole ? width / 2 - first.x * this.scale : (width - this.size.width * this.scale) / 2;
    this.y = Math.max(20, Math.min((height - this.size.height * this.scale) / 2, 60));
    if (whole) this.y = (height - this.size.height * this.scale) / 2;
    this.apply();
  }
}

function route(points, around) {
  let path = `M${points[0].x} ${points[0].y}`;
  if (around) return `${path} C${points.slice(1).map((point) => `${point.x} ${point.y}`).join(" ")}`;
  for (let n = 1; n < points.length; n++) {
    const a = points[n - 1], b = points[n], middle = (a.y + b.y) / 2;
    path += ` C${a.x} ${middle} ${b.x} ${middle} ${b.x} ${b.y}`;
  }
  return path;
}
