// Keeps the screen from going dark, where the browser can: a phone that sleeps is away.

let wanted = false;
let lock = null;

export function keepAwake(wish) {
  wanted = wish;
  if (wanted) ask();
  else lock?.release();
}

/** Whoever looks elsewhere gives the lock up, and asks again on coming back. */
async function ask() {
  if (!wanted || document.hidden || (lock && !lock.released)) return;
  try {
    lock = await navigator.wakeLock?.request("screen");
  } catch {
    // The battery is low, or the player will not have it.
  }
}

document.addEventListener("visibilitychange", ask);
