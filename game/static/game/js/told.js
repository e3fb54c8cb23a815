// What the line that speaks says about the game: what has happened, and what could be done.

import { anyOf, clockText, gettext, interpolate, ngettext, shortName } from "./i18n.js";
import { isDaily, isOpen, isOver, partnersOf } from "./store.js";
import { lockText } from "./views/strip.js";

/** What a change has done: `what` was asked for, with `body`. */
export function told(what, body, before, after) {
  if (after.status === "won") {
    return interpolate(gettext("Won: the deal is cleared in %(time)s."), {
      time: clockText(after.elapsed_ms),
    });
  }
  if (after.status === "lost") return gettext("You have given up.");
  const [lock] = newLocks(before, after);
  if (lock) return lockText(lock);
  if (after.status === "stuck")
    return gettext("Stuck: no card can be removed, and no draw or pass is left.");
  if (what === "undos") return gettext("The last move is taken back.");
  if (body.to === "winnable") return gettext("From here it can be won.");
  if (what === "rewinds") return gettext("Back before the card was locked.");
  if (what === "restarts") return gettext("Back at the start of the deal.");
  if (body.action === "draw") return toldDraw(after);
  if (body.action === "redeal") {
    return interpolate(gettext("The waste is turned over: pass %(pass)s of %(passes)s."), after);
  }
  const [first, second] = body.cards.map(shortName);
  const text = second
    ? gettext("%(first)s and %(second)s are removed.")
    : gettext("%(first)s is removed.");
  return interpolate(text, { first, second });
}

const newLocks = (before, after) =>
  after.locked.filter(({ card }) => !before.locked.some((known) => known.card === card));

function toldDraw({ stock, waste }) {
  const text = ngettext(
    "Drawn: %(card)s. %(count)s card is left in the stock.",
    "Drawn: %(card)s. %(count)s cards are left in the stock.",
    stock.count,
  );
  return interpolate(text, { card: shortName(waste.top), count: stock.count });
}

/** What can be done with a card. */
export function prospect(game, card) {
  const partners = partnersOf(game, card);
  const lock = game.locked.find((other) => other.card === card);
  if (lock && !partners.length) return lockText(lock);
  const text = partners.length
    ? gettext("%(card)s fits with %(partners)s.")
    : gettext("%(card)s: no free card fits now.");
  return interpolate(text, { card: shortName(card), partners: anyOf(partners) });
}

/** Where a game stands that has just been opened. */
export function greeting(game) {
  if (isOver(game)) return "";
  if (game.locked.length) return lockText(game.locked[0]);
  if (game.moves) return gettext("Your game goes on.");
  if (game.daily && !isDaily(game))
    return gettext("This day is closed: its deal is practice, and on no board.");
  return gettext("Choose two free cards that add up to 13. A king goes alone.");
}

/** A game that has ended by itself: a daily does when its day is closed. */
export const toldEnd = (game) =>
  isDaily(game) && isOpen(game)
    ? gettext("The day is closed: the game has ended as it stood.")
    : "";
