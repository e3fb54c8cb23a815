// The rule sets as records: names for what the states call by key.

import { get, Problem, Unreachable } from "./api.js";

/** Nice to have, so a failure is none. */
export async function loadRules(store) {
  try {
    store.set({ rules: (await get("rules/")).results });
  } catch (error) {
    if (!(error instanceof Unreachable || error instanceof Problem)) throw error;
  }
}
