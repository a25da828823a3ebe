import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { freeMemory } from '../kit/index.ts'

/** Refused bodies that are read at the same time. */
const MAX_AT_ONCE = 8
/** How long the connection of a refused request stays open after its answer. */
const LINGER_MS = 1000

/**
 * Ends the connections of refused requests without losing their answers. Bodies that are under way are read and
 * dropped, a few at a time: all at once, those of hundreds of refused requests would hold up the answers to everyone
 * else. What was not read within a second after the answer is not read at all; the next request of that client comes on
 * a new connection and need not wait behind the old body.
 */
export class BodyDrain {
  readonly #waiting: IncomingMessage[] = []
  #running = 0

  /** Takes over the unread body of a request; call it before the request is answered with `connection: close`. */
  take(request: IncomingMessage): void {
    dropArrived(request)
    linger(request.socket)
    this.#waiting.push(request)
    this.#next()
  }

  #next(): void {
    while (this.#running < MAX_AT_ONCE) {
      const request = this.#waiting.shift()
      if (!request) return
      if (request.destroyed) continue
      this.#running++
      request.once('close', () => {
        this.#running--
        this.#next()
      })
      request.on('error', () => {}).on('data', freeMemory)
      request.socket.resume()
    }
  }
}

/**
 * Gives the memory of what has arrived back at once: of thousands of refused requests it would be hundreds of MB until
 * the next collection of garbage. Reading of the body has begun then as far as the server can tell, so it leaves the
 * rest to us; nothing more is taken from the connection until the body has its turn.
 */
function dropArrived(request: IncomingMessage): void {
  request.read(0)
  for (let piece = request.read(); piece !== null; piece = request.read()) freeMemory(piece)
  request.socket.pause()
}

/**
 * Lets a connection live on for a while after its last answer. Closed at once, with a body unread, it would be reset,
 * and a client that is still sending would see the reset instead of the answer.
 */
function linger(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    const end = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(end))
  }
}
