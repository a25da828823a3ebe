import type { IncomingMessage } from 'node:http'
import { Failure, freeMemory } from '../kit/index.ts'
import { decoderOf } from './body-decoder.ts'
import type { ByteBudget } from './byte-budget.ts'

/** Memory that a body of unknown length takes beyond what arrived. */
const GROW_BYTES = 1024 * 1024

/** What holds for one body. */
interface BodyRules {
  /** Limit on the bytes that arrive and, of a coded body, on the bytes that it decodes to. */
  maxBytes: number
  /** Longest pause between two pieces. */
  idleMs: number
  budget: ByteBudget
}

/** A body that arrived in full. It owns its memory, so it can be transferred to another thread. */
interface ReceivedBody {
  bytes: Uint8Array
  /** Gives the bytes back to the budget; call it once the answer is out. */
  release(): void
}

/** Whether the request announces a body (RFC 9112, section 6). */
export function announcesBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length']
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/**
 * Reads a body within its limits and undoes its content coding. The announced length is taken from the budget at
 * once, a body of unknown length or one that decodes to more piece by piece: a decompression bomb (CWE-409) ends at
 * the limit.
 *
 * @throws Failure BODY_TOO_LARGE, OVERLOADED, REQUEST_TIMEOUT, UNSUPPORTED_ENCODING, INVALID_ENCODING; CLIENT_GONE
 *   when the client hung up
 */
export async function readBody(request: IncomingMessage, rules: BodyRules): Promise<ReceivedBody> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > rules.maxBytes) throw new Failure('BODY_TOO_LARGE', { limit: rules.maxBytes })
  const decoder = decoderOf(request.headers['content-encoding'])
  rules.budget.take(announced)
  let taken = announced
  return new Promise((resolve, reject) => {
    const whole = new GrowingBytes(decoder === null ? announced : 0)
    let received = 0
    const idle = setTimeout(() => fail(new Failure('REQUEST_TIMEOUT')), rules.idleMs)
    const source = decoder === null ? request : request.pipe(decoder)
    const stop = (): void => {
      clearTimeout(idle)
      request.off('data', onArrival).off('close', onClose).off('error', onClose)
      source.off('data', onData).off('end', onEnd)
    }
    const fail = (error: Error): void => {
      stop()
      if (decoder !== null) {
        request.unpipe(decoder)
        decoder.destroy()
      }
      freeMemory(whole.take())
      rules.budget.give(taken)
      reject(error)
    }
    const onArrival = (): void => void idle.refresh()
    const onData = (piece: Buffer): void => {
      received += piece.length
      try {
        if (received > rules.maxBytes) throw new Failure('BODY_TOO_LARGE', { limit: rules.maxBytes })
        if (received > taken) {
          rules.budget.take(received - taken)
          taken = received
        }
      } catch (error) {
        fail(error as Error)
        return
      }
      whole.add(piece)
    }
    const onEnd = (): void => {
      stop()
      resolve({ bytes: whole.take(), release: () => rules.budget.give(taken) })
    }
    const onClose = (): void => {
      // A coded body may have arrived in full while the rest of it is still being decoded.
      if (decoder === null || !request.complete) fail(new Failure('CLIENT_GONE'))
    }
    decoder?.on('error', (error) => fail(new Failure('INVALID_ENCODING', {}, { cause: error })))
    source.on('data', onData).on('end', onEnd)
    request.on('data', onArrival).on('close', onClose).on('error', onClose)
  })
}

/**
 * Bytes that arrive in pieces, in one separate piece of memory, outside the pool that small buffers share. Each
 * piece is given back as soon as it was copied: kept until the end, bodies would take their size twice.
 */
class GrowingBytes {
  #bytes: Uint8Array<ArrayBuffer>
  #length = 0

  /** @param expected bytes that were announced; 0 when nobody knows */
  constructor(expected: number) {
    this.#bytes = new Uint8Array(expected)
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length
    if (length > this.#bytes.length) this.#resize(Math.max(length, Math.min(2 * length, length + GROW_BYTES)))
    this.#bytes.set(piece, this.#length)
    this.#length = length
    freeMemory(piece)
  }

  /** All of them; nothing may be added after. */
  take(): Uint8Array {
    if (this.#length < this.#bytes.length) this.#resize(this.#length)
    return this.#bytes
  }

  #resize(length: number): void {
    this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(length))
  }
}
