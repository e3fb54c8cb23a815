// Who else plays the deal on the table just now: the deal's room.

import { isOver, ownerOf, settingsOf } from "./store.js";
import { Room } from "./socket.js";

export class Company {
  #store;
  #place = null;
  #room = null;

  constructor(store) {
    this.#store = store;
  }

  /** Goes into the room of the deal on the table, if there is one for the player to be in. */
  follow() {
    const place = placeOf(this.#store);
    if (place === this.#place) return;
    this.#room?.close();
    this.#place = place;
    this.#store.set({ company: [], invitation: null });
    this.#room = place && this.#open(place);
  }

  /** What is not told any more is not shown any more. */
  #open(place) {
    return new Room(place, {
      hear: (frame) => this.#hear(frame),
      tell: (room) => room.isOpen || this.#store.set({ company: [] }),
    });
  }

  #hear(frame) {
    const { company, player } = this.#store;
    const without = (name) => company.filter((other) => other.player !== name);
    const others = (players) => players.filter((other) => other.player !== player.name);
    if (frame.type === "snapshot") this.#store.set({ company: others(frame.players) });
    else if (frame.type === "progress")
      this.#store.set({ company: others([...without(frame.player.player), frame.player]) });
    else if (frame.type === "left") this.#store.set({ company: without(frame.player) });
    else if (frame.type === "race") this.#invite(frame);
    else if (frame.type === "problem") this.#store.set({ status: frame.detail, refused: true });
  }

  #invite(race) {
    if (race.player === this.#store.player.name) location.assign(race.url);
    else this.#store.set({ invitation: race });
  }

  /** What the views may call. */
  acts() {
    return {
      race: () => this.#room?.send({ type: "race" }),
      seeInvitation: () => this.#store.set({ invitation: null }),
    };
  }
}

function placeOf(store) {
  const { game } = store;
  if (!game || isOver(game) || ownerOf(store) || settingsOf(store).company === false) return null;
  if (game.kind !== "casual" || game.number === null) return null;
  return `deals/${game.rules}/${game.number}/`;
}
