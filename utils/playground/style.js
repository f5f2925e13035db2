// How the playground looks; its colours are those of drawing.js, set on its element.
export const STYLE = `
.lab { container-type: inline-size; max-width: 1180px; font: 15px/1.4 system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif;
  color: var(--ink); text-align: left; --edge: 1px solid var(--line); }
.lab, .lab * { box-sizing: border-box; }
.lab .inside { display: grid; gap: 12px 18px; padding: 14px; border: var(--edge); border-radius: 10px; background: var(--page); }
.lab .inside > * { min-width: 0; }
.lab p { margin: 0; color: var(--ink); }
.lab [hidden] { display: none !important; }
.lab .row { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 10px; }
.lab button, .lab select { min-height: 40px; margin: 0; padding: 6px 12px; border: 1px solid var(--quiet); border-radius: 6px;
  background: var(--page); color: var(--ink); font: inherit; cursor: pointer; }
.lab button.main { border-color: var(--accent); background: var(--accent); color: var(--page); font-weight: 600; }
.lab button[aria-pressed=true] { box-shadow: inset 0 0 0 2px var(--accent); font-weight: 600; }
.lab button:disabled { opacity: .5; cursor: default; }
.lab :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.lab :is(.bet, .verdict) { padding: 12px 14px; border: 2px solid var(--accent); border-radius: 8px; display: grid; gap: 10px; align-content: start; }
.lab.placed :is(.bet, .verdict) { padding: 6px 10px; }
.lab:not(.placed) .yours, .lab.placed :is(.bet p, .answers button[aria-pressed=false], .view.large > button, .view.large > .quiet, .readout) { display: none; }
.lab .bet p:first-child { font-size: 17px; }
.lab .fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(125px, 1fr)); gap: 8px 12px; }
.lab .fields label { display: flex; flex-direction: column; gap: 2px; min-width: 0; padding: 0; font-size: 13px; color: var(--quiet); }
.lab label.tick { display: flex; flex-direction: row; align-items: center; gap: 8px; min-height: 40px; }
.lab .fields select { width: 100%; padding: 4px 6px; font-size: 15px; }
.lab input { width: 100%; height: 28px; margin: 0; }
.lab .tick input { width: 20px; }
.lab input, .lab progress { accent-color: var(--accent); }
.lab output, .lab .meter { color: var(--ink); font-variant-numeric: tabular-nums; }
.lab fieldset { min-width: 0; margin: 0; padding: 6px 12px 12px; border: var(--edge); border-radius: 8px; }
.lab legend { padding: 0 6px; font-weight: 600; }
.lab .nets { display: contents; }
.lab .controls { display: grid; gap: 12px; align-content: start; min-width: 0; }
.lab .diagram { display: flex; align-items: center; gap: 3px; min-height: 90px; margin-bottom: 6px; }
.lab .diagram span { flex: none; font-size: 13px; color: var(--quiet); }
.lab .diagram canvas { flex: 0 1 46px; min-width: 0; cursor: pointer; touch-action: none; border-radius: 4px; }
.lab .meter { display: grid; margin-top: 10px; grid-template-columns: 1.4em 1fr auto; gap: 3px 8px; align-items: center; }
.lab .meter i { display: block; height: 10px; border-radius: 3px; background: var(--own); }
.lab .views { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 12px; align-content: start; min-width: 0; }
.lab .view { grid-column: span 1; margin: 0; min-width: 0; }
.lab .view.large { grid-column: 1 / -1; order: -1; }
.lab .view > button { width: 100%; min-height: 34px; margin-bottom: 4px; padding: 4px; font-size: 14px; }
.lab .view.large > button { padding: 0; border: 0; box-shadow: none; text-align: left; cursor: default; }
.lab .view .pair { display: grid; grid-template-columns: repeat(var(--count), minmax(0, 1fr)); gap: 8px; }
.lab .view.large .pair { gap: 14px; }
.lab .view:not(.large) .pair { cursor: pointer; }
.lab .view:not(.large) :is(figcaption, .quiet) { display: none; }
.lab canvas { display: block; width: 100%; }
.lab .large[data-view=plane] canvas { touch-action: manipulation; cursor: crosshair; border: var(--edge); }
.lab figcaption { margin: 0 0 4px; font-size: 14px; color: var(--ink); }
.lab [data-view=plane] figcaption { min-height: 4.2em; }
.lab .single [data-view=plane] figcaption { min-height: 2.8em; }
.lab .readout { min-height: 4.2em; padding-top: 4px; font-size: 14px; }
.lab .view:not([data-view=plane]) .readout, .lab .view:not(.large) .readout { display: none; }
.lab .pattern { font-size: 13px; overflow-wrap: anywhere; letter-spacing: 1px; }
.lab pre { max-height: 420px; margin: 8px 0; padding: 10px; overflow: auto; border: var(--edge); border-radius: 6px; font: 13px/1.4 ui-monospace, Menlo, Consolas, monospace; white-space: pre; }
.lab summary { padding: 8px 0; cursor: pointer; }
.lab.asking :is(.presets, .rule, .settings, .code, .run, .view:not(.large)), .lab.rests :is(.train, .one, .seeds, .steps, .rule, [data-view=towers], [data-view=losses], .program) { display: none; }
.lab.asking .views { grid-column: 1 / -1; }
.lab.asking .large .pair { max-width: max(300px, 2 * (100vh - 280px)); margin: 0 auto; }
.lab.asking .pair > div { display: flex; flex-direction: column; }
.lab.asking [data-view=plane] figcaption { order: 1; min-height: 2.8em; margin: 4px 0 0; }
.lab [data-view=plane] canvas { aspect-ratio: 1; }
.lab.asking .views { order: -4; }
.lab.asking .verdict { order: -3; min-height: 120px; }
.lab.asking .bet { order: -5; }
.lab.draws .large[data-view=plane] canvas { touch-action: none; }
.lab a { color: inherit; }
.lab .presets > *, .lab .presets select { min-width: 0; max-width: 100%; }
.lab .many { display: grid; gap: 6px; }
.lab .said { min-height: 1.4em; }
.lab .quiet { color: var(--quiet); font-size: 14px; }
.lab progress { flex: 1; min-width: 100px; }
@container (min-width: 940px) {
  .lab .inside { grid-template-columns: 330px minmax(0, 1fr); }
  .lab :is(.bet, .verdict, .run, .said, .presets, .rule, .many, .code) { grid-column: 1 / -1; }
}
@container (max-width: 939px) {
  .lab .views { order: -1; }
  .lab :is(.run, .said, .many) { order: -2; }
  .lab :is(.bet, .verdict) { order: -3; }
  .lab .settings { grid-template-columns: repeat(auto-fit, minmax(270px, 1fr)); }
}
@container (min-width: 720px) and (max-width: 939px) {
  .lab .single { grid-template-columns: 290px minmax(0, 1fr); }
  .lab .single > :is(.bet, .verdict, .run, .said, .presets, .rule, .many, .code) { grid-column: 1 / -1; }
  .lab .single .settings { order: -1; }
}
@container (max-width: 560px) {
  .lab .inside { padding: 10px; }
  .lab .views { display: contents; }
  .lab .view { order: 1; }
  .lab .settings { order: 0; }
  .lab .code { order: 2; }
  .lab.asking .view.large { order: -4; }
  .lab.asking .verdict { min-height: 200px; }
  .lab.asking [data-view=plane] figcaption { min-height: 5.6em; }
  .lab .view:not(.large) :is(figcaption, .quiet) { display: block; }
}
`;
