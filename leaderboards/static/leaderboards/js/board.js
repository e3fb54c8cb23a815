// Keeps the rows of a board in line with what the server tells: each player's row stays the same
// element, so that nothing jumps and the focus stays where it is.

import { clockText, gettext } from "../../game/js/i18n.js";

const shownFor = 2400; // milliseconds that a row which has changed is marked

export class Rows {
  #root;
  #blank;

  /** `root`: the part of the table; `blank`: the template of a row. */
  constructor(root, blank) {
    this.#root = root;
    this.#blank = blank;
  }

  /** The results as rows, in their order; `me`: the player's own result, wherever that stands. */
  show(results, me) {
    const focused = document.activeElement;
    const before = new Map([...this.#root.rows].map((row) => [row.dataset.player, row]));
    results.forEach((result, at) => {
      const row = before.get(result.player) ?? this.#newRow();
      before.delete(result.player);
      if (this.#root.rows[at] !== row) this.#root.insertBefore(row, this.#root.rows[at] ?? null);
      if (fill(row, result, result.player === me?.player)) mark(row);
    });
    for (const row of before.values()) row.remove();
    this.#root.hidden = !results.length;
    if (focused !== document.activeElement && this.#root.contains(focused))
      focused.focus({ preventScroll: true });
  }

  #newRow() {
    return this.#blank.content.firstElementChild.cloneNode(true);
  }
}

/** Writes the result down; answers whether the row says something else now. */
function fill(row, result, own) {
  const slot = (name) => row.querySelector(`[data-slot=${name}]`);
  const before = row.textContent;
  row.dataset.player = result.player;
  row.classList.toggle("own", own);
  if (own) row.id = "me";
  else row.removeAttribute("id");
  slot("rank").textContent = result.rank;
  slot("player").href = `/players/${encodeURIComponent(result.player)}`;
  slot("player").firstElementChild.textContent = result.player;
  slot("outcome").textContent = result.won ? gettext("cleared") : "";
  slot("removed").textContent = `${result.removed}/28`;
  slot("removed").parentElement.classList.toggle("cleared", result.won);
  slot("time").textContent = clockText(result.elapsed_ms);
  slot("moves").textContent = result.moves;
  slot("undos").textContent = result.undos;
  row.querySelector(".you").hidden = !own;
  for (const badge of row.querySelectorAll("[data-mark]")) badge.hidden = !result[badge.dataset.mark];
  return row.textContent !== before;
}

function mark(row) {
  row.classList.add("changed");
  setTimeout(() => row.classList.remove("changed"), shownFor);
}
