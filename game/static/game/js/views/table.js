// The pyramid, the stock and the waste.

import { html, nothing, render } from "../../../vendor/lit-html/lit-html.js";
import { gettext, interpolate, ngettext, spokenName } from "../i18n.js";
import { canDo, coverersOf, partnersOf } from "../store.js";
import { back, face, hintSign, lockSign } from "./card.js";
import { icon } from "./icons.js";
import { lockText } from "./strip.js";

/** Draws the table; act has tap(card), tapFaceDown(row, column) and tapStock(). */
export function drawTable(root, store, act) {
  render(store.game ? [pyramid(store, act), piles(store, act)] : nothing, root);
}

function pyramid(store, act) {
  const label = gettext("The pyramid");
  return html`<div class="pyramid" role="group" aria-label=${label}>
    ${store.game.pyramid.map(
      (cards, row) =>
        html`<div class="row">${cards.map((card, column) => slot(store, act, card, row, column))}</div>`,
    )}
  </div>`;
}

function slot(store, act, card, row, column) {
  if (!card) return html`<span class="slot"></span>`;
  const coverers = coverersOf(store.game.pyramid, row, column);
  const look = ["", "covered half", "covered"][coverers.length];
  if (card === "??") {
    return html`<button
      type="button"
      class="card down ${look}"
      tabindex="-1"
      data-place="${row},${column}"
      aria-label=${faceDownLabel(row, coverers)}
      @click=${() => act.tapFaceDown(row, column)}
    >
      ${back}
    </button>`;
  }
  return cardButton(store, act, card, `${row},${column}`, look, slotLabel(card, coverers));
}

function cardButton(store, act, card, place, look, label) {
  const { game, chosen, marked } = store;
  const hinted = store.hint?.cards.includes(card) ?? false;
  const lock = game.locked.find((other) => other.card === card);
  const fits = chosen !== null && partnersOf(game, chosen).includes(card);
  const looks = [
    look,
    chosen === card ? "chosen" : "",
    fits ? "fits" : "",
    marked.includes(card) ? "marked" : "",
    hinted ? "hinted" : "",
    store.leaving.includes(card) ? "leaving" : "",
  ];
  const notes = [
    fits ? "note-fits" : "",
    hinted ? "note-hinted" : "",
    lock ? "note-locked" : "",
  ];
  return html`<button
    type="button"
    class="card ${looks.filter(Boolean).join(" ")}"
    tabindex="-1"
    data-place=${place}
    data-card=${card}
    aria-label=${label}
    aria-pressed=${chosen === card}
    aria-describedby=${notes.filter(Boolean).join(" ") || nothing}
    title=${lock ? lockText(lock) : nothing}
    @click=${() => act.tap(card)}
  >
    ${face(card)}${lock ? lockSign : nothing}${hinted ? hintSign : nothing}
  </button>`;
}

function piles(store, act) {
  const { game } = store;
  // Translators: the pile of cards that are yet to be drawn.
  const stock = gettext("Stock");
  // Translators: the pile of cards that have been drawn; its top card can be used.
  const waste = gettext("Waste");
  const hinted = ["draw", "redeal"].includes(store.hint?.action);
  return html`<div class="piles">
    <div class="pile stock ${depth(game.stock.count)} ${store.busy === "draw" ? "drawing" : ""} ${hinted ? "hinted" : ""}">
      ${stockTop(store, act)}
      <p>${stock} <b data-count="stock">${game.stock.count}</b></p>
    </div>
    <div class="pile waste ${depth(game.waste.count)}">
      ${wasteTop(store, act)}
      <p>${waste} <b data-count="waste">${game.waste.count}</b></p>
    </div>
  </div>`;
}

const depth = (count) => (count > 8 ? "deep" : count > 1 ? "some" : "");

function stockTop(store, act) {
  const { game } = store;
  if (game.stock.top) {
    const label = interpolate(gettext("Stock: %(card)s"), { card: spokenName(game.stock.top) });
    return cardButton(store, act, game.stock.top, "stock", "", label);
  }
  if (game.stock.count) {
    const cards = ngettext(
      "Draw from the stock, %(count)s card left",
      "Draw from the stock, %(count)s cards left",
      game.stock.count,
    );
    const label = interpolate(cards, { count: game.stock.count });
    return html`<button type="button" class="card down" tabindex="-1" data-place="stock" aria-label=${label} @click=${act.tapStock}>
      ${back}
    </button>`;
  }
  const again = canDo(game, "redeal");
  const label = again
    ? gettext("Stock is empty: redeal")
    : gettext("Stock is empty, no pass is left");
  return html`<button type="button" class="card hollow" tabindex="-1" data-place="stock" aria-label=${label} @click=${act.tapStock}>
    ${icon(again ? "redeal" : "none")}
  </button>`;
}

function wasteTop(store, act) {
  const { top } = store.game.waste;
  if (!top) return html`<span class="card hollow" data-empty="waste"></span>`;
  const label = interpolate(gettext("Waste: %(card)s"), { card: spokenName(top) });
  return cardButton(store, act, top, "waste", "", label);
}

function slotLabel(card, coverers) {
  const [first, second] = coverers.map(nameOrDown);
  const data = { card: spokenName(card), first, second };
  if (second) return interpolate(gettext("%(card)s, covered by %(first)s and %(second)s"), data);
  if (first) return interpolate(gettext("%(card)s, covered by %(first)s"), data);
  return data.card;
}

function faceDownLabel(row, coverers) {
  const [first, second] = coverers.map(nameOrDown);
  const data = { row: row + 1, first, second };
  if (!first) return nameOrDown("??"); // before the cards are shown
  if (second)
    return interpolate(
      gettext("Face-down card in row %(row)s, covered by %(first)s and %(second)s"),
      data,
    );
  return interpolate(gettext("Face-down card in row %(row)s, covered by %(first)s"), data);
}

const nameOrDown = (card) => (card === "??" ? gettext("a face-down card") : spokenName(card));
