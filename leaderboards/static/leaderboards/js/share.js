// Hands the result on: by the device's own way of sharing, by the clipboard, or by hand.

import { gettext } from "../../game/js/i18n.js";

export function wireSharing({ text, copy, share, told }) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      told.textContent = gettext("It is copied.");
    } catch {
      getSelection().selectAllChildren(text);
      told.textContent = gettext("The text is selected: copy it by hand.");
    }
  });
  share.hidden = !navigator.share;
  share.addEventListener("click", () => {
    navigator.share({ text: text.textContent }).catch(() => {}); // it is the player who called it off
  });
}
