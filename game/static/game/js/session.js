// Who plays, when the session of the page has ended, maybe on another device. An account is never
// quietly left for a guest; a guest who is gone is followed by a new one.

import { becomePlayer, onSessionEnd, Problem } from "./api.js";
import { gettext } from "./i18n.js";

/** `startAnew(detail)` brings what the page shows to the guest who is new, and says the detail. */
export function watchSession(store, startAnew) {
  onSessionEnd(async () => {
    const { name, is_guest: guest } = store.player;
    if (guest === false) {
      store.set({ loggedOut: true, dialog: null, chosen: null });
      throw new Problem(401, { detail: gettext("You are logged out on this device.") });
    }
    store.set({ player: await becomePlayer() });
    if (!name || !(store.game || store.race)) return;
    const detail = gettext("Your time as a guest has ended. You are a new guest now.");
    startAnew(detail);
    throw new Problem(401, { detail });
  });
}

export function goOnAsGuest(asking) {
  asking.inTurn(async () => {
    await asking.answerTo(becomePlayer);
    location.assign(location.pathname);
  });
}
