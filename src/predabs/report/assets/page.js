/* The page: tabs, keys, light and dark, print. */

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  $("#theme").textContent = theme === "dark" ? "Light" : "Dark";
}
let kept = null;
try { kept = localStorage.getItem("predabs-theme"); } catch { /* a page from a file may have no storage */ }
const dark = matchMedia("(prefers-color-scheme: dark)");
setTheme(kept || (dark.matches ? "dark" : "light"));
dark.addEventListener("change", () => { if (!kept) setTheme(dark.matches ? "dark" : "light"); });
function switchTheme() {
  kept = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  setTheme(kept);
  try { localStorage.setItem("predabs-theme", kept); } catch { /* then for this time only */ }
}

const SOURCE = new SourceView();
const ENGINE = DATA.engines.find((engine) => engine.name === DATA.engine) || DATA.engines[0];
const TABS = [];
const ROUNDS = [];
let RUN = null;

function addTab(name, made) {
  const known = $(`#panel-${name.toLowerCase()}`), id = `panel-${name.toLowerCase().replaceAll(" ", "-")}`;
  const panel = known || el("div", { class: "panel", id, role: "tabpanel" });
  if (!known) $("#side").append(panel);
  const begin = made ? made(panel) : null;
  const button = el("button", { type: "button", role: "tab", "aria-controls": panel.id, id: `tab-${panel.id.slice(6)}`, onclick: (event) => {
    openTab(tab);
    if (event.detail) button.blur();  /* after the mouse, the arrows are for what is inside */
  } }, name);
  const tab = { name, panel, button, begin, begun: false };
  TABS.push(tab);
  $("#tabs").append(button);
  return tab;
}

function openTab(tab) {
  for (const other of TABS) {
    other.panel.classList.toggle("shown", other === tab);
    other.button.setAttribute("aria-selected", other === tab);
    other.button.tabIndex = other === tab ? 0 : -1;
  }
  if (!tab.begun) {
    tab.begun = true;
    if (tab.begin) tab.begin();
  }
}

const engineTabs = (engine, more) => {
  const rounds = engine.rounds.length > 0, several = DATA.engines.filter((other) => other.rounds.length).length > 1;
  const name = several ? ` of ${engine.name}` : "";
  if (!more && (engine.predicates.length || engine.elements.length || engine.facts.length || engine.tree || DATA.verdict === "TRUE"))
    addTab("Proof", (panel) => proofPanel(panel, engine));
  if (engine.shapes.length && !more) addTab("Shapes", (panel) => shapesPanel(panel, engine));
  if (engine.tree && !more) addTab("Tree", (panel) => treePanel(panel, engine));
  if (engine.boolean && !more) addTab("Boolean program", (panel) => booleanPanel(panel, engine));
  if (rounds) addTab(`Rounds${name}`, (panel) => {
    const view = new RoundsView(panel, engine);
    ROUNDS.push(view);
    return () => view.go(0);
  }).view = ROUNDS[ROUNDS.length - 1];
  if (engine.automata.length) addTab("Automata", (panel) => automataPanel(panel, engine));
};

addTab("Summary");
if (DATA.run && DATA.run.steps.length) addTab("Run", (panel) => { RUN = new RunView(panel); return () => RUN.go(0); });
if (ENGINE) engineTabs(ENGINE, false);
for (const engine of DATA.engines) if (engine !== ENGINE) engineTabs(engine, true);
addTab("Time", timePanel);
if ($("#invariants")) invariantsTable($("#invariants"));
if ($("#standing")) standingTable($("#standing"));
openTab(TABS.find((tab) => tab.name === (DATA.confirmed ? "Run" : "Summary")));
const STANDS = DATA.standing.flatMap((item) => item.at.map(([at]) => at)).find((at) => DATA.sources[at[0]].lines);
if (!DATA.confirmed && DATA.invariants.length) SOURCE.show(DATA.invariants[0].at[1]);
else if (STANDS) SOURCE.go(STANDS);
else if (!DATA.confirmed && ENGINE && ENGINE.automata.length) SOURCE.show(ENGINE.automata[0].at[1]);

/* --- keys ------------------------------------------------------------------------------------- */

$("#tabs").addEventListener("keydown", (event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  const now = TABS.findIndex((tab) => tab.button === document.activeElement), tab = TABS[(now + by + TABS.length) % TABS.length];
  tab.button.focus();
  openTab(tab);
  event.stopPropagation();
  event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("#help").open) return;
  if (/^(SELECT|TEXTAREA)$/.test(event.target.tagName) || event.target.type === "range") return;
  const shown = TABS.find((tab) => tab.panel.classList.contains("shown"));
  const view = (shown && shown.view) || RUN, number = Number(event.key);
  if (number >= 1 && number <= TABS.length) openTab(TABS[number - 1]);
  else if (event.key === "t") switchTheme();
  else if (event.key === "f") SOURCE.setFold(!SOURCE.fold);
  else if (event.key === "?") $("#help").showModal();
  else if (view && event.key === "ArrowRight") view === RUN ? RUN.go(RUN.next(RUN.at, 1)) : view.go(view.at + 1);
  else if (view && event.key === "ArrowLeft") view === RUN ? RUN.go(RUN.next(RUN.at, -1)) : view.go(view.at - 1);
  else if (view && event.key === "Home") view.go(0);
  else if (view && event.key === "End") view.go(Infinity);
  else return;
  event.preventDefault();
});
$("#theme").addEventListener("click", switchTheme);
$("#keys").addEventListener("click", () => $("#help").showModal());
$("#printing").addEventListener("click", () => print());

$("#split").addEventListener("pointerdown", (event) => {
  const move = (to) => $("#app").style.setProperty("--left", `${Math.max(15, Math.min(80, (to.clientX / innerWidth) * 100))}%`);
  event.target.setPointerCapture(event.pointerId);
  event.target.addEventListener("pointermove", move);
  event.target.addEventListener("pointerup", () => event.target.removeEventListener("pointermove", move), { once: true });
});

/* --- print ------------------------------------------------------------------------------------ */

const MOST_PRINTED = 2500;

addEventListener("beforeprint", () => {
  const source = SOURCE.sources[SOURCE.file], rows = SOURCE.file < 0 ? [] : SOURCE.rows.length <= MOST_PRINTED ? SOURCE.rows : SOURCE.folded(source).slice(0, MOST_PRINTED);
  const steps = DATA.run ? DATA.run.steps.slice(-600) : [];
  clear($("#print"),
    [...$("#panel-summary").children].filter((child) => !child.matches(".hint")).map((child) => child.cloneNode(true)),
    steps.length > 0 && [el("h2", null, "Run"), el("table", { class: "facts" }, steps.map((step) => el("tr", { class: step.k === "error" ? "fault" : "" },
      el("td", { class: "num" }, step.k === "omitted" ? "" : step.at[1]), el("td", { class: "mono" }, "  ".repeat(step.d), step.s),
      el("td", { class: "mono" }, (step.v || []).map(([name, text]) => (name ? `${name} = ${text}` : text)).join(", ")))))],
    ENGINE && ENGINE.predicates.length > 0 && [el("h2", null, "Tracked"), predicatesTable(ENGINE.predicates)],
    rows.length > 0 && [el("h2", null, source.name), el("pre", null, rows.map((row) =>
      row.from ? `        ⋯ lines ${row.from} to ${row.to}\n`
        : row.item ? el("span", { class: "inv" }, `        ${row.first ? "invariant: " : ""}${row.text}\n`)
          : el("span", { class: DATA.error && DATA.error[0] === SOURCE.file && DATA.error[1] === row.line ? "fault" : "" },
            `${String(row.line).padStart(6)}  ${source.lines[row.line - 1]}\n`)))]);
});
document.documentElement.dataset.ready = "yes";
