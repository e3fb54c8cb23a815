// Wires the page where a race is made: one button, and what it may be set to.

import { becomePlayer, post, Problem, Unreachable } from "./api.js";
import { numberIn } from "./deals.js";
import { gettext } from "./i18n.js";
import { remember, wishes } from "./memory.js";
import { loadRules } from "./rulesets.js";
import { watchSession } from "./session.js";
import { Store } from "./store.js";
import { drawForm } from "./views/race/form.js";

const page = JSON.parse(document.getElementById("page").textContent);
const root = document.getElementById("form");
const asked = new URLSearchParams(location.search);
const store = new Store({ player: page.player ?? {} });

/** What the address asks for, then what was wished for last. A `number` is chosen, and a `deal`
 * stands there for whoever chooses by number. */
function firstWish() {
  const { rules, tier } = wishes();
  const known = [asked.get("rules"), rules, page.default_rules].find((key) =>
    page.rules.includes(key),
  );
  const chosen = asked.get("number");
  const number = chosen ?? asked.get("deal") ?? "";
  return { rules: known, deal: chosen ? "number" : tier, number, seats: 2, minutes: 15 };
}

async function make() {
  const { rules, deal, number, seats, minutes } = store.wish;
  const found = numberIn(number);
  if (deal === "number" && !found)
    return store.set({ error: gettext("Type the number of a deal.") });
  const what = deal === "number" ? { number: found.number } : { tier: deal };
  const body = { rules: found?.rules ?? rules, ...what, seats, time_limit_ms: minutes * 60000 };
  store.set({ busy: "race", error: "" });
  try {
    if (!store.player.name) await becomePlayer();
    const race = await post("races/", body);
    if (deal !== "number") remember({ rules, tier: deal });
    location.assign(race.url);
  } catch (error) {
    store.set({ busy: null, error: wordsFor(error) });
  }
}

function wordsFor(error) {
  if (error instanceof Problem) return error.message;
  if (error instanceof Unreachable) return gettext("No answer from the server.");
  throw error;
}

const act = {
  wish: (values) => store.set({ wish: { ...store.wish, ...values }, error: "" }),
  make,
  /** A code, or a whole link that ends with one. */
  goTo: (typed) => {
    const code = typed.trim().split("/").filter(Boolean).at(-1);
    if (code) location.assign(`/race/${encodeURIComponent(code)}`);
  },
};

addEventListener("pageshow", (event) => event.persisted && location.reload());
watchSession(store, () => {});
store.listen((now) => drawForm(root, now, act));
store.set({ wish: firstWish(), error: "" });
if (location.hash === "#code") document.getElementById("code").focus();
loadRules(store);
