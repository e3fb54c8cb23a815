// The keyboard's way over the table: one card is in the tab order, the arrow keys move on from
// there, and when the card with the focus leaves, a neighbour takes it.

const places = (table) => [...table.querySelectorAll("[data-place]")];

export function wireArrows(table) {
  table.addEventListener("keydown", (event) => {
    const from = event.target.closest("[data-place]");
    if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = destination(event.key, from, places(table));
    if (!to) return;
    event.preventDefault();
    to.focus();
  });
  table.addEventListener("focusin", (event) =>
    makeStop(table, event.target.closest("[data-place]")),
  );
}

/** Notes where the focus is, before the table is drawn anew. */
export function noteFocus(table) {
  const holder = document.activeElement;
  const at = table.contains(holder) ? centre(holder) : null;
  return { holder, at };
}

/** Brings the focus back where it was lost, and sees that the table has one tab stop. */
export function keepFocus(table, noted, elsewhere) {
  const cards = places(table);
  const stop = cards.find((card) => card.tabIndex === 0) ?? nearest(cards, noted.at) ?? null;
  makeStop(table, stop);
  const lost = !noted.holder.isConnected && document.activeElement === document.body;
  if (lost)
    (elsewhere() ?? (noted.at ? nearest(cards, noted.at) : stop))?.focus({ preventScroll: true });
}

function makeStop(table, stop) {
  for (const card of places(table)) card.tabIndex = card === stop ? 0 : -1;
}

/** A free card near by rather than a covered one right there: the way a removal leads on. */
function nearest(cards, at) {
  const free = cards.filter((card) => !card.classList.contains("covered"));
  if (!at) return free[0];
  const distance = (card) => Math.hypot(centre(card).x - at.x, centre(card).y - at.y);
  return free.toSorted((one, other) => distance(one) - distance(other))[0];
}

function destination(key, from, cards) {
  if (key === "Home") return cards[0];
  if (key === "End") return cards.at(-1);
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  return way && closest(from, cards, way);
}

/** The card that lies closest in a direction; straying to the side costs more than distance.
 * Left and right stay in the row, and go on from its end to the piles where those lie beside. */
function closest(from, cards, [right, down]) {
  const start = centre(from);
  const inPyramid = (card) => Boolean(card.closest(".pyramid"));
  const sameRow = (card) => Math.abs(centre(card).y - start.y) < from.offsetHeight / 4;
  const wanted = (card) => down || sameRow(card) || inPyramid(card) !== inPyramid(from);
  const cost = (card) => {
    const { x, y } = centre(card);
    const ahead = (x - start.x) * right + (y - start.y) * down;
    const aside = Math.abs(right ? y - start.y : x - start.x);
    return ahead > 4 ? ahead + 2 * aside : Infinity;
  };
  const others = cards.filter((card) => card !== from && wanted(card) && cost(card) < Infinity);
  const inRow = right ? others.filter(sameRow) : [];
  return (inRow.length ? inRow : others).toSorted((one, other) => cost(one) - cost(other))[0];
}

function centre(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
