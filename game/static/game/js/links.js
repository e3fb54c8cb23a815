// Addresses, and handing them on: by the device's own way of sharing, by the clipboard, or by hand.

import { gettext } from "./i18n.js";
import { isDaily, isOver } from "./store.js";

export const copyLink = (store, address) => copy(store, address, gettext("The link is copied."));

export const copyText = (store, text) => copy(store, text, gettext("It is copied."));

/** The page of a daily's day. */
export const pageOf = ({ rules, daily }) => `/daily/${rules}/${daily}/`;

/** To the page where one registers ("signup") or logs in ("login"), and from there to a place. */
export const entrance = (page, next) => `/accounts/${page}/?next=${encodeURIComponent(next)}`;

/** Where the player finds this game again, maybe as another one: whose account plays the deal, too,
 * goes on with that game. A counted one that is not begun goes with its guest. */
export function placeOf(game) {
  const { rules, number, moves, counted, kind } = game;
  if (isDaily(game)) return game.url;
  if (isOver(game) && kind !== "race") return namedAddress(game);
  if (isOver(game) || number === null) return location.pathname + location.search;
  return moves || !counted ? `/play/${rules}/${number}` : "/";
}

/** An address that leads to this very game, whoever follows it. */
export function namedAddress({ id, rules, number, daily, url }) {
  if (daily) return `${url}?game=${id}`;
  const place = number === null ? "/" : `/play/${rules}/${number}`;
  return `${place}?game=${id}`;
}

/** Copies and says so; where the page may not, the dialog shows what is to be copied. */
function copy(store, text, status) {
  const done = () => store.set({ dialog: null, status, refused: false });
  const byHand = () => store.set({ dialog: { name: "copy", text } });
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand);
  else byHand();
}

/** Only devices that are held in a hand share better than they copy. */
export const canShare = () => Boolean(navigator.share) && matchMedia("(pointer: coarse)").matches;

export const shareLink = (address, title) => share({ url: address, title });

export const shareWords = (text) => share({ text });

function share(what) {
  navigator.share(what).catch(() => {}); // it is the player who called it off
}
