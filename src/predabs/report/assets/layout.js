/* Layered drawings of graphs: turn back edges, rank by longest paths, order by barycentres, place
   (Sugiyama, Tagawa and Toda, 1981). Trees are simpler: a parent stands over its children. */

const GAP_X = 26, GAP_Y = 30;

function layered(nodes, edges) {
  const index = new Map(nodes.map((node, n) => [node.id, n]));
  const links = edges.filter((e) => e.from !== e.to && index.has(e.from) && index.has(e.to))
    .map((e) => ({ a: index.get(e.from), b: index.get(e.to), edge: e, turned: false }));
  turnBackEdges(nodes.length, links);
  const rank = ranks(nodes.length, links);
  const boxes = nodes.map((node, n) => ({ node, w: node.w, h: node.h, rank: rank[n], up: [], down: [], x: 0 }));
  for (const link of links) {
    const [top, bottom] = link.turned ? [link.b, link.a] : [link.a, link.b];
    link.way = [top];
    let above = boxes[top];
    for (let r = rank[top] + 1; r < rank[bottom]; r++) {
      const bend = { node: null, w: 10, h: 0, rank: r, up: [above], down: [], x: 0 };
      above.down.push(bend);
      link.way.push(boxes.push(bend) - 1);
      above = bend;
    }
    above.down.push(boxes[bottom]);
    boxes[bottom].up.push(above);
    link.way.push(bottom);
  }
  const layers = [];
  for (const box of boxes) (layers[box.rank] = layers[box.rank] || []).push(box);
  order(layers, boxes.length);
  place(layers, boxes.length);
  let y = 0;
  for (const layer of layers) {
    const height = Math.max(...layer.map((box) => box.h));
    for (const box of layer) box.y = y + height / 2;
    y += height + GAP_Y;
  }
  const left = Math.min(0, ...boxes.map((box) => box.x - box.w / 2));
  for (const box of boxes) box.x -= left;
  const places = new Map(nodes.map((node, n) => [node.id, { x: boxes[n].x, y: boxes[n].y }]));
  const routes = links.map((link) => {
    const points = link.way.map((n, at) => {
      const box = boxes[n], half = box.h / 2;
      return { x: box.x, y: box.y + (at === 0 ? half : at === link.way.length - 1 ? -half : 0) };
    });
    return { edge: link.edge, points: link.turned ? points.reverse() : points };
  });
  for (const e of edges) {
    if (e.from !== e.to || !places.has(e.from)) continue;
    const at = places.get(e.from), box = boxes[index.get(e.from)], x = at.x + box.w / 2;
    routes.push({ edge: e, points: [{ x, y: at.y - 6 }, { x: x + 26, y: at.y - 14 }, { x: x + 26, y: at.y + 14 }, { x, y: at.y + 6 }], around: true });
  }
  return { places, routes, width: Math.max(1, ...boxes.map((b) => b.x + b.w / 2)), height: Math.max(1, y - GAP_Y) };
}

function turnBackEdges(count, links) {
  const out = Array.from({ length: count }, () => []);
  for (const link of links) out[link.a].push(link);
  const state = new Uint8Array(count);
  for (let root = 0; root < count; root++) {
    if (state[root]) continue;
    const stack = [[root, 0]];
    state[root] = 1;
    while (stack.length) {
      const top = stack[stack.length - 1];
      if (top[1] === out[top[0]].length) { state[top[0]] = 2; stack.pop(); continue; }
      const link = out[top[0]][top[1]++];
      if (state[link.b] === 1) link.turned = true;
      else if (state[link.b] === 0) { state[link.b] = 1; stack.push([link.b, 0]); }
    }
  }
}

function ranks(count, links) {
  const out = Array.from({ length: count }, () => []), left = new Int32Array(count), rank = new Int32Array(count);
  for (const link of links) {
    const [top, bottom] = link.turned ? [link.b, link.a] : [link.a, link.b];
    out[top].push(bottom);
    left[bottom]++;
  }
  const ready = [];
  for (let n = 0; n < count; n++) if (!left[n]) ready.push(n);
  while (ready.length) {
    const n = ready.pop();
    for (const m of out[n]) {
      rank[m] = Math.max(rank[m], rank[n] + 1);
      if (!--left[m]) ready.push(m);
    }
  }
  return rank;
}

function order(layers, size) {
  const number = (layer) => layer.forEach((box, n) => { box.at = n; });
  layers.forEach(number);
  const sort = (layer, side) => {
    for (const box of layer) {
      const near = box[side];
      box.key = near.length ? near.reduce((sum, other) => sum + other.at, 0) / near.length : box.at;
    }
    layer.sort((a, b) => a.key - b.key || a.at - b.at);
    number(layer);
  };
  const sweeps = size > 4000 ? 2 : size > 1000 ? 6 : 14;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    if (sweep % 2) for (let r = layers.length - 2; r >= 0; r--) sort(layers[r], "down");
    else for (let r = 1; r < layers.length; r++) sort(layers[r], "up");
  }
}

function place(layers, size) {
  const room = (a, b) => (a.w + b.w) / 2 + GAP_X;
  for (const layer of layers) {
    const width = layer.reduce((sum, box) => sum + box.w + GAP_X, -GAP_X);
    let x = -width / 2;
    for (const box of layer) { box.x = x + box.w / 2; x += box.w + GAP_X; }
  }
  const settle = (layer, side) => {
    const want = layer.map((box) => {
      const near = box[side];
      return near.length ? near.reduce((sum, other) => sum + other.x, 0) / near.length : box.x;
    });
    const right = want.slice(), left = want.slice();  /* both keep the distances, and so does their mean */
    for (let n = 1; n < layer.length; n++) right[n] = Math.max(right[n], right[n - 1] + room(layer[n - 1], layer[n]));
    for (let n = layer.length - 2; n >= 0; n--) left[n] = Math.min(left[n], left[n + 1] - room(layer[n], layer[n + 1]));
    layer.forEach((box, n) => { box.x = (left[n] + right[n]) / 2; });
  };
  const sweeps = size > 4000 ? 4 : 20;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    if (sweep % 2) for (let r = layers.length - 2; r >= 0; r--) settle(layers[r], "down");
    else for (let r = 1; r < layers.length; r++) settle(layers[r], "up");
  }
}

/* `nodes` with parents before children; `edges` that are no tree edges are drawn as they come. */
function treeLayout(nodes, edges) {
  const byId = new Map(nodes.map((node) => [node.id, { node, children: [], depth: 0, x: 0 }]));
  const roots = [];
  for (const node of nodes) {
    const item = byId.get(node.id), parent = byId.get(node.parent);
    if (parent) { item.depth = parent.depth + 1; parent.children.push(item); } else roots.push(item);
  }
  let next = 0;
  const items = nodes.map((node) => byId.get(node.id));
  const stack = roots.slice().reverse(), visited = [];
  while (stack.length) {
    const item = stack.pop();
    visited.push(item);
    if (!item.children.length) { item.x = next + item.node.w / 2; next += item.node.w + GAP_X; }
    stack.push(...item.children.slice().reverse());
  }
  for (const item of visited.reverse())
    if (item.children.length) item.x = (item.children[0].x + item.children[item.children.length - 1].x) / 2;
  const heights = [];
  for (const item of items) heights[item.depth] = Math.max(heights[item.depth] || 0, item.node.h);
  const tops = [];
  heights.reduce((y, height, depth) => { tops[depth] = y; return y + height + GAP_Y; }, 0);
  for (const item of items) item.y = tops[item.depth] + item.node.h / 2;
  const places = new Map(items.map((item) => [item.node.id, { x: item.x, y: item.y }]));
  const routes = [];
  for (const edge of edges) {
    const a = byId.get(edge.from), b = byId.get(edge.to);
    if (!a || !b) continue;
    if (edge.cls === "covers") {  /* around the outside, on the side where the covered node stands */
      const side = a.x < b.x ? -1 : 1, from = { x: a.x + side * a.node.w / 2, y: a.y }, to = { x: b.x + side * b.node.w / 2, y: b.y };
      const out = side > 0 ? Math.max(from.x, to.x) + 34 : Math.min(from.x, to.x) - 34;
      routes.push({ edge, points: [from, { x: out, y: from.y }, { x: out, y: to.y }, to], around: true });
    } else routes.push({ edge, points: [{ x: a.x, y: a.y + a.node.h / 2 }, { x: b.x, y: b.y - b.node.h / 2 }] });
  }
  const last = heights.length - 1;
  return { places, routes, width: Math.max(1, next - GAP_X) + 40, height: last < 0 ? 1 : tops[last] + heights[last] };
}
