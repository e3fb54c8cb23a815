// Words. The catalogue script of the page sets gettext and its kin before any module runs;
// without it (it may fail to load) the English in the source is shown.

export function gettext(text) {
  return globalThis.gettext ? globalThis.gettext(text) : text;
}

export function ngettext(one, many, count) {
  if (globalThis.ngettext) return globalThis.ngettext(one, many, count);
  return count === 1 ? one : many;
}

export function pgettext(context, text) {
  return globalThis.pgettext ? globalThis.pgettext(context, text) : text;
}

/** Fills `%(name)s` places in an already translated text. */
export function interpolate(text, data) {
  return text.replace(/%\((\w+)\)s/g, (place, name) => (name in data ? String(data[name]) : place));
}

/** "nine of clubs", for ears. */
export function spokenName(card) {
  const ranks = {
    A: pgettext("rank in a card's name", "ace"),
    2: pgettext("rank in a card's name", "two"),
    3: pgettext("rank in a card's name", "three"),
    4: pgettext("rank in a card's name", "four"),
    5: pgettext("rank in a card's name", "five"),
    6: pgettext("rank in a card's name", "six"),
    7: pgettext("rank in a card's name", "seven"),
    8: pgettext("rank in a card's name", "eight"),
    9: pgettext("rank in a card's name", "nine"),
    T: pgettext("rank in a card's name", "ten"),
    J: pgettext("rank in a card's name", "jack"),
    Q: pgettext("rank in a card's name", "queen"),
    K: pgettext("rank in a card's name", "king"),
  };
  const suits = {
    C: pgettext("suit in a card's name", "clubs"),
    D: pgettext("suit in a card's name", "diamonds"),
    H: pgettext("suit in a card's name", "hearts"),
    S: pgettext("suit in a card's name", "spades"),
  };
  // Translators: a playing card's spoken name, such as "nine of clubs".
  return interpolate(gettext("%(rank)s of %(suit)s"), {
    rank: ranks[card[0]],
    suit: suits[card[1]],
  });
}

/** "9♣", for eyes. The selector after the sign keeps phones from drawing it as an emoji. */
export function shortName(card) {
  const signs = { C: "\u2663\ufe0e", D: "\u2666\ufe0e", H: "\u2665\ufe0e", S: "\u2660\ufe0e" };
  return rankText(card) + signs[card[1]];
}

export function rankText(card) {
  return card[0] === "T" ? "10" : card[0];
}

/** Short names as a list in the page's language: "9♣, 9♥ or 9♠". */
export function anyOf(cards) {
  const names = cards.map(shortName);
  return new Intl.ListFormat(document.documentElement.lang, { type: "disjunction" }).format(names);
}

/** "62 %" in the way of the page's language, from 0.62. */
export function percentText(share) {
  return new Intl.NumberFormat(document.documentElement.lang, { style: "percent" }).format(share);
}

/** Words as a list in the page's language: "6♥ and 7♦". */
export function allOf(words) {
  return new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(words);
}

/** "1:05" or "1:00:05" from milliseconds. */
export function clockText(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (parts[0] === 0) parts.shift();
  return parts.map((part, at) => (at ? String(part).padStart(2, "0") : part)).join(":");
}

/** "Dec 1, 2026" from "2026-12-01": a UTC day, whatever the zone. */
export const dateText = (date) => dayFormat({ dateStyle: "medium" }).format(new Date(date));

/** The same without the year, unless that is another than this one. */
export function dayText(date) {
  const day = new Date(date);
  const year = day.getUTCFullYear() === new Date().getUTCFullYear() ? undefined : "numeric";
  return dayFormat({ day: "numeric", month: "short", year }).format(day);
}

const dayFormat = (format) =>
  new Intl.DateTimeFormat(document.documentElement.lang, { ...format, timeZone: "UTC" });

/** "Dec 1, 1:00 AM": a moment, in the zone of whoever reads it. */
export function momentText(time) {
  const format = { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" };
  return new Intl.DateTimeFormat(document.documentElement.lang, format).format(new Date(time));
}
