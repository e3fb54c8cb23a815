// The server's clock, as far as it can be known from here: by round trips to the server, of
// which the quickest says it best.

const kept = 8;

export class Clock {
  #trips = [];

  /** Takes a trip in that began at `sent` on performance.now()'s clock and has just ended; on its
   * way the server has said what time it was there. */
  note(sent, time) {
    const now = performance.now();
    const trip = { took: now - sent, ahead: Date.parse(time) - (sent + now) / 2 };
    this.#trips = [...this.#trips.slice(1 - kept), trip];
  }

  /** Takes in what the server says by itself, which is late by one way: better than nothing. */
  hear(time) {
    if (!this.#trips.length) this.#trips = [{ took: Infinity, ahead: Date.parse(time) - performance.now() }];
  }

  /** Whether the server has said anything of it. */
  get isKnown() {
    return this.#trips.length > 0;
  }

  /** Milliseconds since 1970 on the server's clock. */
  now() {
    if (!this.#trips.length) return Date.now();
    const best = this.#trips.reduce((one, other) => (other.took < one.took ? other : one));
    return performance.now() + best.ahead;
  }

  /** After a break: a computer that has slept counts on from where it fell asleep. */
  forget() {
    this.#trips = [];
  }
}
