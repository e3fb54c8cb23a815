// A menu closes when its player looks elsewhere: a click outside, Escape, the focus gone.

import { freshToken } from "./token.js";

for (const menu of document.querySelectorAll("[data-menu]")) {
  const opener = menu.querySelector("summary");
  document.addEventListener("pointerdown", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    opener.focus();
  });
}

for (const form of document.querySelectorAll("[data-fresh-token]")) {
  form.addEventListener("submit", () => freshToken(form));
}
