// The card that stands on the table when a game has ended.

import { html, nothing, render } from "../../../vendor/lit-html/lit-html.js";
import { clockText, gettext } from "../i18n.js";
import { canAnalyse, isOver } from "../store.js";
import { parText } from "./advice.js";

export function drawResult(root, store, act) {
  const { game } = store;
  const shown = game && isOver(game) && store.resultSeen !== game.id;
  render(shown ? result(store, act) : nothing, root);
}

function result({ game, deal }, act) {
  const won = game.status === "won";
  const title = won ? gettext("Deal cleared") : gettext("Game over");
  const note = noteOn(game);
  const again = gettext("Same deal again");
  const fresh = gettext("New deal");
  const look = gettext("Look at the cards");
  const analyse = analyseText(game);
  const par = deal?.par ?? null;
  return html`<section class="result ${game.status}" aria-labelledby="result-title">
    <h2 id="result-title">${title}</h2>
    <dl>
      ${fact(gettext("Time"), clockText(game.elapsed_ms))} ${fact(gettext("Moves"), game.moves)}
      ${par === null ? nothing : fact(parText(), par)}
      ${fact(gettext("Undos"), game.undos)}${won ? nothing : fact(gettext("Removed"), game.removed)}
    </dl>
    <p>${note}</p>
    <div class="choices">
      <button type="button" class="main" @click=${act.newDeal}>${fresh}</button>
      <button type="button" @click=${act.again}>${again}</button>
      ${
        canAnalyse(game)
          ? html`<button type="button" data-action="analyse" @click=${act.analyse}>${analyse}</button>`
          : nothing
      }
      <button type="button" class="quiet" @click=${act.seeResult}>${look}</button>
    </div>
  </section>`;
}

/** The question that the analysis answers. */
export const analyseText = (game) =>
  game.status === "won" ? gettext("Analysis") : gettext("Where was it lost?");

function noteOn(game) {
  if (!game.counted) return gettext("This was practice: it does not count.");
  return game.status === "won" ? gettext("Well played.") : gettext("It counts as lost.");
}

function fact(label, value) {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}
