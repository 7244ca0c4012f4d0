"use strict";
/* Elements from values; text is always text, never markup. */

const $ = (selector, root = document) => root.querySelector(selector);
const DATA = JSON.parse($("#data").textContent);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

function clear(node, ...children) {
  node.replaceChildren();
  return fill(node, null, children);
}

const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
const baseName = (path) => path.split("/").pop();
const shortened = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

/* A list of rows of one height, of which only those in sight are elements. */
class VirtualList {
  constructor(box, render, height = 20) {
    this.box = box;
    this.render = render;
    this.height = height;
    this.count = 0;
    this.drawn = null;
    this.rows = el("div", { class: "rows" });
    box.append(this.rows);
    let waiting = false;
    const later = () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; this.draw(); });
    };
    box.addEventListener("scroll", later, { passive: true });
    new ResizeObserver(later).observe(box);
  }

  set(count, widest = 0) {
    this.count = count;
    this.rows.style.height = `${count * this.height}px`;
    this.rows.style.minWidth = `max(100%, ${Math.min(widest, 2000) + 10}ch)`;
    this.refresh();
  }

  refresh() { this.drawn = null; this.draw(); }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / this.height) - 15);
    const last = Math.min(this.count, first + Math.ceil((this.box.clientHeight || 600) / this.height) + 30);
    if (this.drawn && this.drawn[0] === first && this.drawn[1] === last) return;
    this.drawn = [first, last];
    const made = [];
    for (let n = first; n < last; n++) {
      const row = this.render(n);
      row.style.top = `${n * this.height}px`;
      made.push(row);
    }
    this.rows.replaceChildren(...made);
  }

  /* Bring a row into sight, near the middle if it was not there already. */
  show(row) {
    const top = row * this.height, room = this.box.clientHeight;
    if (top < this.box.scrollTop + 2 * this.height || top > this.box.scrollTop + room - 4 * this.height)
      this.box.scrollTop = Math.max(0, top - room / 2);
    this.refresh();
  }
}
