// Hands a link on: by the device's own way of sharing, by the clipboard, or by hand.

import { gettext } from "./i18n.js";

export const copyLink = (store, address) => copy(store, address, gettext("The link is copied."));

export const copyText = (store, text) => copy(store, text, gettext("It is copied."));

/** The page of a daily's day. */
export const pageOf = ({ rules, daily }) => `/daily/${rules}/${daily}/`;

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
