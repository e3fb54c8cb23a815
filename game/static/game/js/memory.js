// What this browser keeps from visit to visit: which deals its player asks for. A newcomer, and
// whoever lets no page keep anything, gets the first of all.

const place = "pyramid.deals";

export const tiers = ["easy", "standard", "random"];

/** The tier and, where it was chosen here before, the rule set. */
export function wishes() {
  const { rules, tier } = kept();
  return { rules, tier: tiers.includes(tier) ? tier : tiers[0] };
}

export function remember(wish) {
  try {
    localStorage.setItem(place, JSON.stringify({ ...kept(), ...wish }));
  } catch {
    // Storage is full or closed: the next visit asks for the first of all again.
  }
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(place)) ?? {};
  } catch {
    return {};
  }
}
