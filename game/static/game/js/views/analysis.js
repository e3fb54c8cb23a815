// Where an ended game was lost: a strip of its moves, the move that lost it, and a way to win.
// It is drawn into the page's dialog.

import { html, nothing, svg } from "../../../vendor/lit-html/lit-html.js";
import { gettext, interpolate, ngettext } from "../i18n.js";
import { labelText, parText } from "./advice.js";
import { moveChips, moveName } from "./moves.js";

/** There is a place to look for where a move is known to have lost the game. */
export const analysisTitle = ({ analysis }) =>
  analysis?.lost >= 0 ? gettext("Where was it lost?") : gettext("Analysis");

export function analysis(store, act) {
  const { analysis, game } = store;
  if (analysis?.error) return failed(analysis, act);
  if (!analysis?.steps) return waiting();
  return html`<div class="lookback">
    ${facts(analysis, game)}
    <p class="finding">${finding(analysis, game)}</p>
    ${analysis.steps.length ? strip(analysis, act) : nothing} ${way(analysis)}
  </div>`;
}

function waiting() {
  const text = gettext("Working it out…");
  return html`<p class="waiting" role="status">${text}</p>`;
}

function failed({ error }, act) {
  const again = gettext("Try again");
  return html`<p role="alert">${error}</p>
    <div class="choices">
      <button type="button" class="main" @click=${act.analyse}>${again}</button>
    </div>`;
}

function facts({ label, par }, game) {
  const known = [
    label && [gettext("This deal"), labelText(label), label],
    par !== null && [parText(), par, ""],
    [gettext("Your moves"), game.moves, ""],
  ];
  return html`<dl class="facts">
    ${known
      .filter(Boolean)
      .map(([name, value, look]) => html`<div><dt>${name}</dt><dd class=${look}>${value}</dd></div>`)}
  </dl>`;
}

function finding({ label, lost, par, steps, earlier }, game) {
  if (game.status === "won") return wonText(game.moves, par);
  if (label === "unwinnable") return gettext("This deal could not be won from the start.");
  if (lost >= 0) {
    const text = gettext("Move %(number)s lost it: %(move)s.");
    return interpolate(text, {
      number: earlier + lost + 1,
      move: moveName(steps[lost]),
    });
  }
  if (steps.some((step) => step.winnable_before === null))
    return gettext("Not every position could be decided, so the move that lost it is not known.");
  return gettext("It could still have been won when the game ended.");
}

function wonText(moves, par) {
  if (par === null) return interpolate(gettext("Won in %(moves)s moves."), { moves });
  if (moves <= par)
    return interpolate(gettext("Won in %(moves)s moves: there is no shorter way."), { moves });
  const text = ngettext(
    "Won in %(moves)s moves, %(count)s more than par.",
    "Won in %(moves)s moves, %(count)s more than par.",
    moves - par,
  );
  return interpolate(text, { moves, count: moves - par });
}

// The strip: a bar for each move, high where a win was possible before it

function strip(analysis, act) {
  const { steps, at } = analysis;
  const label = gettext("Move");
  return html`<div class="strip">
    <div class="graph">
      <svg viewBox="0 0 ${steps.length} 10" preserveAspectRatio="none" aria-hidden="true">
        ${steps.map((step, index) => bar(analysis, step, index))}
      </svg>
      <input type="range" min="0" max=${steps.length - 1} .value=${String(at)} aria-label=${label}
        aria-valuetext=${stepText(analysis)} @input=${(event) => act.lookAtStep(Number(event.target.value))} />
    </div>
    <p class="step" aria-hidden="true">
      <b>${stepNumber(analysis)}</b> ${moveChips(steps[at])} <span>${stepVerdict(analysis)}</span>
    </p>
    ${legend(analysis)}
  </div>`;
}

function bar({ lost, at, steps }, { winnable_before: winnable }, index) {
  const [look, height] =
    winnable === null ? ["unknown", 6] : winnable ? ["winnable", 10] : ["lost", 4];
  const gap = steps.length > 90 ? 0 : 0.16;
  const looks = [look, index === lost ? "losing" : "", index === at ? "at" : ""].join(" ");
  return svg`<rect class=${looks} x=${index + gap / 2} y=${10 - height} width=${1 - gap} height=${height} />`;
}

function legend({ steps, lost }) {
  const some = (verdict) => steps.some((step) => step.winnable_before === verdict);
  const entries = [
    some(true) && ["winnable", gettext("could be won")],
    some(false) && ["lost", gettext("could not be won")],
    some(null) && ["unknown", gettext("not known")],
    lost >= 0 && ["losing", gettext("lost it")],
  ];
  return html`<ul class="legend" aria-hidden="true">
    ${entries.filter(Boolean).map(([look, text]) => html`<li class=${look}>${text}</li>`)}
  </ul>`;
}

function stepNumber({ steps, at, earlier }) {
  const text = gettext("Move %(number)s of %(all)s:");
  return interpolate(text, { number: earlier + at + 1, all: earlier + steps.length });
}

function stepVerdict({ steps, at, lost }) {
  if (at === lost) return gettext("This move lost the game.");
  const { winnable_before: winnable } = steps[at];
  if (winnable === null) return gettext("Whether it could be won before this move is not known.");
  return winnable
    ? gettext("Before this move it could be won.")
    : gettext("Before this move it could not be won any more.");
}

const stepText = (analysis) =>
  [stepNumber(analysis), moveName(analysis.steps[analysis.at]), stepVerdict(analysis)].join(" ");

// The way to win

function way(analysis) {
  const { line } = analysis;
  if (!line?.length) return nothing;
  const title = wayTitle(analysis);
  const count = interpolate(ngettext("%(count)s move", "%(count)s moves", line.length), {
    count: line.length,
  });
  return html`<h3>${title} <small>${count}</small></h3>
    <ol class="way">
      ${stages(line).map(
        (stage) => html`<li>
          <span class="number" aria-hidden="true">${stage.number}</span>${moveChips(stage)}
        </li>`,
      )}
    </ol>`;
}

function wayTitle({ line, lost, par, earlier }) {
  if (lost >= 0) {
    const text = gettext("A way to win before move %(number)s");
    return interpolate(text, { number: earlier + lost + 1 });
  }
  return line.length === par ? gettext("A shortest way to win") : gettext("A way to win");
}

/** The line's moves, with draws that follow each other as one. */
function stages(line) {
  const found = [];
  line.map(parsed).forEach((move, index) => {
    const before = found.at(-1);
    if (move.action === "draw" && before?.action === "draw") before.times += 1;
    else found.push({ ...move, number: index + 1, times: 1 });
  });
  return found;
}

/** A move in text: "KS" or "6H7D" removes, "d" draws, "r" redeals. */
function parsed(text) {
  if (text === "d") return { action: "draw", cards: [] };
  if (text === "r") return { action: "redeal", cards: [] };
  return { action: "remove", cards: text.match(/../g) };
}
