// The room of the game on the table: tells what other tabs do in it, and is the short way for a
// change. Where the room is not open, or leaves a change without an answer, the change goes the
// long way, as the same one: nothing is done twice.

import { post, Unreachable } from "./api.js";
import { Room, sessionEnded } from "./socket.js";

const comeBack = 5000; // milliseconds

const frames = {
  moves: "move",
  undos: "undo",
  rewinds: "rewind",
  restarts: "restart",
  resignations: "resign",
};

export class GameRoom {
  #game = null;
  #room = null;
  #return = null;
  #hear;
  #left;

  /** `hear(state)`: of a change, or how the game stands now; `left()` when the session with which
   * the room was entered has ended: another may have taken its place. */
  constructor({ hear, left = () => {} }) {
    this.#hear = hear;
    this.#left = left;
  }

  /** Goes into the room of the game with this id, and out of the one before; null is in none. */
  enter(id) {
    if (id === this.#game) return;
    clearTimeout(this.#return);
    this.#room?.close();
    this.#game = id;
    this.#room = id && this.#open(id);
  }

  #open(id) {
    return new Room(`games/${id}/`, {
      hear: (frame) => frame.state && this.#hear(frame.state),
      tell: (_, code) => code === sessionEnded && this.#leave(id),
    });
  }

  #leave(id) {
    this.#left();
    const open = () => (this.#room = this.#open(id));
    this.#return = setTimeout(open, comeBack);
  }

  /** The game's state after the change, which is named by its client_move_id. */
  async change(id, what, sent) {
    if (this.#game === id && this.#room.isOpen) {
      try {
        return (await this.#room.ask({ type: frames[what], ...sent })).state;
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
      }
    }
    return post(`games/${id}/${what}/`, sent);
  }
}
