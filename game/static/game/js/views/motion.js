// Small motion: cards leave, come back, go from the stock to the waste. It only follows what
// has been drawn; the table is right without it. None at all where less motion is wished for: by
// the player's settings, or else by the browser's.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const ease = "cubic-bezier(.2, .7, .3, 1)";

/** Notes where every card lies, before the table is drawn anew. */
export function notePlaces(table, { motion }) {
  if (motion === "reduced" || (calm.matches && motion !== "full")) return null;
  const places = [...table.querySelectorAll("[data-place]")].map((element) => [
    element.dataset.place,
    {
      card: element.dataset.card,
      box: element.getBoundingClientRect(),
      picture: element.firstElementChild.cloneNode(true),
    },
  ]);
  return new Map(places);
}

/** Moves from what was noted to what is there now; before and now are the two states. */
export function follow(table, noted, before, now) {
  if (!noted || !now || before === now) return;
  const cards = [...table.querySelectorAll("[data-place]")];
  if (before?.id !== now.id) return dealIn(cards);
  const here = new Map(cards.map((element) => [element.dataset.place, element]));
  for (const [place, old] of noted) {
    if (place.includes(",") && !here.has(place)) leave(old);
  }
  for (const [place, element] of here) {
    if (place.includes(",") && !noted.has(place)) comeBack(element);
  }
  followPiles(noted, here, before, now);
}

function followPiles(noted, here, before, now) {
  const grown = now.waste.count - before.waste.count;
  const shrunk = now.stock.count - before.stock.count;
  const [stock, waste] = [here.get("stock"), here.get("waste")];
  if (grown === 1 && shrunk === -1) turnUp(waste, stock);
  else if (grown === -1 && shrunk === 1) travel(noted.get("waste"), stock);
  else if (grown < 0 && shrunk === -grown) travel(noted.get("waste"), stock);
  else if (grown < 0 && now.removed >= before.removed) leave(noted.get("waste"));
  else if (shrunk < 0 && before.stock.top && !grown) leave(noted.get("stock"));
}

function dealIn(cards) {
  cards.forEach((card, at) => {
    const frames = [
      { opacity: 0, translate: "0 -14px" },
      { opacity: 1, translate: "0 0" },
    ];
    card.animate(frames, { duration: 220, delay: at * 11, easing: ease, fill: "backwards" });
  });
}

function leave(old) {
  if (!old) return;
  const frames = [
    { opacity: 1, scale: 1, translate: "0 0" },
    { opacity: 0, scale: 0.86, translate: `0 -${old.box.height * 0.3}px` },
  ];
  play(ghost(old), frames, 260);
}

function comeBack(element) {
  element.animate(
    [
      { opacity: 0, scale: 0.9 },
      { opacity: 1, scale: 1 },
    ],
    { duration: 180, easing: ease },
  );
}

function turnUp(waste, stock) {
  if (!waste || !stock) return;
  const [from, to] = [stock.getBoundingClientRect(), waste.getBoundingClientRect()];
  const frames = [
    { translate: `${from.left - to.left}px ${from.top - to.top}px`, rotate: "y -80deg" },
    { translate: "0 0", rotate: "y 0deg" },
  ];
  waste.animate(frames, { duration: 220, easing: ease });
}

function travel(old, target) {
  if (!old || !target) return;
  const to = target.getBoundingClientRect();
  const frames = [
    { translate: "0 0", opacity: 1 },
    { translate: `${to.left - old.box.left}px ${to.top - old.box.top}px`, opacity: 0.2 },
  ];
  play(ghost(old), frames, 220);
}

/** A picture of a card that is no longer there, out of reach for pointer, keyboard and ear. */
function ghost(old) {
  const shape = document.createElement("div");
  shape.className = "card ghost";
  shape.inert = true;
  for (const side of ["left", "top", "width", "height"])
    shape.style.setProperty(side, `${old.box[side]}px`);
  shape.append(old.picture);
  document.body.append(shape);
  return shape;
}

function play(shape, frames, duration) {
  shape
    .animate(frames, { duration, easing: ease, fill: "forwards" })
    .finished.finally(() => shape.remove());
}
