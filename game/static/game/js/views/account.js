// The player's name in the page's header, where a guest is made while the page is open: the server
// has drawn it without one.

import { gettext } from "../i18n.js";

export function drawAccount({ player }, before) {
  if (!player.name || player.name === before.player.name) return;
  const menu = document.querySelector(".account-menu");
  if (!menu) return;
  const shown = player.is_guest ? gettext("Guest") : player.name;
  const opener = menu.querySelector("summary");
  const [label] = opener.getAttribute("aria-label").split(":");
  opener.setAttribute("aria-label", `${label}: ${shown}`);
  opener.querySelector(".who").textContent = shown;
  nameIn(menu.querySelector("nav")).textContent = player.name;
}

function nameIn(list) {
  const known = list.querySelector(":scope > .who > bdi");
  if (known) return known;
  const line = document.createElement("p");
  line.className = "who";
  list.prepend(line);
  return line.appendChild(document.createElement("bdi"));
}
