// What the solver has to say, in words: hints, checks, labels, tiers.

import { gettext, interpolate, ngettext, percentText, pgettext, shortName } from "../i18n.js";

/** Whether a deal can be won; nothing where that is not told. */
export function labelText(label) {
  const texts = {
    winnable: pgettext("label of a deal", "Winnable"),
    unwinnable: pgettext("label of a deal", "Cannot be won"),
    unknown: pgettext("label of a deal", "Not solved"),
  };
  return texts[label] ?? "";
}

// Translators: a label (noun): the fewest moves that win a deal, as in golf.
export const parText = () => gettext("Par");

export function tierName(tier) {
  const names = {
    easy: pgettext("kind of deal", "Easy"),
    standard: pgettext("kind of deal", "Standard"),
    random: pgettext("kind of deal", "Random"),
  };
  return names[tier] ?? "";
}

export function tierNote(tier) {
  const notes = {
    easy: gettext("Can be won, and is among the easiest third."),
    standard: gettext("Can be won, but asks for more."),
    random: gettext("Any deal at all: it may not be winnable."),
  };
  return notes[tier] ?? "";
}

/** A hint: what to do, and what speaks for it. Its chance is that of a win that is still there to be
 * found after the move, over all orders of the cards that are not seen. */
export function hintText(hint) {
  const why = hintWhy(hint);
  if (!hint.action) return why;
  // Translators: a hint and what speaks for it, such as "Draw a card. This wins."
  return interpolate(gettext("%(move)s %(why)s"), { move: moveText(hint), why });
}

function hintWhy({ reason, win_chance: chance }) {
  const texts = {
    wins: gettext("This wins."),
    lost: gettext("No win is left from here."),
    stuck: gettext("No move is left: take back, or start again."),
  };
  if (reason in texts) return texts[reason];
  if (reason !== "best_chance" || chance === null)
    return gettext("A guess: this is too hard to work out.");
  if (chance < 0.01)
    return interpolate(gettext("After it, the chance that the deal can still be won is less than %(chance)s."), {
      chance: percentText(0.01),
    });
  return interpolate(gettext("After it, the chance that the deal can still be won is about %(chance)s."), {
    chance: percentText(Math.min(chance, 0.99)),
  });
}

function moveText({ action, cards }) {
  if (action === "draw") return gettext("Draw a card.");
  if (action === "redeal") return gettext("Turn the waste over.");
  const [first, second] = cards.map(shortName);
  const text = second
    ? gettext("Remove %(first)s and %(second)s.")
    : gettext("Remove %(first)s.");
  return interpolate(text, { first, second });
}

/** Whether the game can still be won. What is not known is never called lost. */
export function checkText(check) {
  if (check.verdict === "winnable") return gettext("Yes, this can still be won.");
  if (check.verdict === "unwinnable") {
    const text = gettext("No, from here this cannot be won any more. %(back)s");
    return interpolate(text, { back: movesBackText(check) });
  }
  return gettext("Not known: this is too hard to tell. It may still be won.");
}

/** How far back a win was last possible, if ever. */
function movesBackText({ moves_back: count, state }) {
  if (count === null)
    return state.label === "unwinnable"
      ? gettext("This deal could not be won from the start.")
      : gettext("No earlier position is known that could be won.");
  const text = ngettext(
    "The last position that could be won is %(count)s move back.",
    "The last position that could be won is %(count)s moves back.",
    count,
  );
  return interpolate(text, { count });
}
