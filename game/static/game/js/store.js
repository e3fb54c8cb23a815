// Holds what the page knows, and tells who listens when it changes.
//
// player    who plays, {name, is_guest, settings}; empty for one whom the page did not know yet
// game      the server's last state of the game, as it came; null before the first
// received  when it came, on performance.now()'s clock: the game's time ticks on from there
// rules     the rule sets as records
// deal      what is known of the game's deal, once the server has told
// chosen    the card that waits for its partner
// marked    cards that the last refusal was about
// leaving   cards whose removal has been asked for
// busy      what is being asked of the server just now: "draw", "remove", "undos", "hints", …
// sending   whether the answer is missed by now: nothing more is taken until it has come
// hint      the server's last hint, until the position changes
// check     its last verdict on whether this position can be won, until the position changes
// analysis  where an ended game was lost: {game, steps, …}, or {game, error} in words
// status    the line that speaks; refused says that it gives the reason of a refusal
// trouble   why there is no answer from the server, in words, while there is none
// loggedOut   whether the account's session has ended while its page was open
// closed    what the address leads to, where that is no game: the deal {rules, number} of one that
//           is not open to the player, or {day}, a daily's day without a game
// standing  how the player's daily stands on its board: {game, players, rank, …a row}
// company   who else plays the deal on the table just now, as the deal's room tells
// invitation   the race {code, url, player} that one of them has opened on it
// dialog    the dialog that is open: {name, …what it needs}
// race      the server's race as it stands; null at a table without one. rematch_by: who wants the next
// clock     the server's (clock.js), where a race goes by it
// watching  whether a player whose own race has ended would rather see the others than the board
// lost      whether the connection to the race's room is lost
// wish      what a new race is to be: {rules, deal, number, seats, minutes}; error: why it cannot be
// logs      what the seats did in a race that is over: [{seat, entries}], or {error} in words
// resultSeen, lockSeen   what the player has put aside (ids)

export class Store {
  #listeners = [];

  constructor(values) {
    Object.assign(this, {
      player: {},
      game: null,
      received: 0,
      rules: [],
      deal: null,
      chosen: null,
      marked: [],
      leaving: [],
      busy: null,
      sending: false,
      hint: null,
      check: null,
      analysis: null,
      status: "",
      refused: false,
      trouble: null,
      loggedOut: false,
      closed: null,
      standing: null,
      company: [],
      invitation: null,
      dialog: null,
      race: null,
      clock: null,
      watching: false,
      lost: false,
      logs: null,
      wish: null,
      error: "",
      resultSeen: null,
      lockSeen: null,
      ...values,
    });
  }

  set(values) {
    const before = { ...this };
    Object.assign(this, values);
    for (const listener of this.#listeners) listener(this, before);
  }

  listen(listener) {
    this.#listeners.push(listener);
  }
}

// Readings of a state: what it says, in the words in which the views ask. No rule is decided here.

/** How the player likes the table; what is not there is as the server has it by default. */
export const settingsOf = (store) => store.player.settings ?? {};

/** Whose game is looked at, by name, where that is somebody else's; null at one's own. */
export const ownerOf = ({ game, player }) =>
  game?.player && game.player !== player.name ? game.player : null;

export const isOver = (game) => game.status === "won" || game.status === "lost";

export const canHint = (game) => !isOver(game) && game.kind !== "race";

/** Whether the first hint would cost a place on a board. */
export const isHintDear = (game) => isDaily(game) && game.counted && !game.hints;

/** In ranked games nobody is told whether the game can still be won. */
export const canCheck = (game) => !isOver(game) && game.kind === "casual";

export const isDaily = (game) => game.kind === "daily";

/** What a board counts of a daily that has ended: its best moment, where anything was played. */
export const countedOf = ({ result }) => result.best ?? result;

/** Whether the game's deal is no secret, as a daily's is until its day is closed. */
export const isOpen = (game) => !isDaily(game) || Date.parse(game.closes_at) <= Date.now();

export const canAnalyse = (game) => isOver(game) && game.kind !== "race" && isOpen(game);

/** Whether its deal can be dealt once more: by its number, or as a closed day's. */
export const canDealAgain = (game) => game.number !== null || (game.daily !== null && isOpen(game));

export const canDo = (game, action) => game.legal.some((move) => move.action === action);

export const goesAlone = (game, card) =>
  game.legal.some((move) => move.cards.length === 1 && move.cards[0] === card);

export const partnersOf = (game, card) =>
  game.legal
    .filter((move) => move.cards.length === 2 && move.cards.includes(card))
    .map((move) => move.cards.find((other) => other !== card));

/** The cards that lie on a slot, lower row left and right; "??" where one is face down. */
export function coverersOf(pyramid, row, column) {
  const below = pyramid[row + 1] ?? [];
  return [below[column], below[column + 1]].filter(Boolean);
}

export function isCovered(pyramid, card) {
  return pyramid.some((cards, row) =>
    cards.some((other, column) => other === card && coverersOf(pyramid, row, column).length > 0),
  );
}

export function elapsed(store) {
  const since = store.game.running ? performance.now() - store.received : 0;
  return store.game.elapsed_ms + since;
}

export const locksOf = (game) => game.locked.map((lock) => lock.card).join(" ");

// Readings of a race

export const isSeated = ({ race }) => race.me !== null;

export const ownSeat = ({ race }) => race.seats.find((seat) => seat.seat === race.me) ?? null;

export const rivals = ({ race }) => race.seats.filter((seat) => seat.seat !== race.me);

/** Whether there are cards to be seen: one's own, or those that are still face down. */
export const isAtTable = ({ race, game, watching }) =>
  race.status === "countdown" || (race.status === "running" && game !== null && !watching);

/** Whether one's own board is done while others play on. */
export const isWaiting = (store) =>
  store.race?.status === "running" &&
  store.game !== null &&
  isOver(store.game) &&
  Boolean(ownSeat(store)?.done) &&
  rivals(store).some((seat) => !seat.done);

/** Whether nothing comes through: a race says so in one way, whichever line is silent. */
export const isCutOff = ({ race, lost, trouble }) =>
  Boolean(race && (lost || trouble) && race.status !== "over");

/** Milliseconds to a time of the race on the server's clock. */
export const until = ({ clock }, time) => Date.parse(time) - (clock ? clock.now() : Date.now());
