import type { IncomingMessage } from 'node:http'
import { Failure, freeMemory } from '../kit/index.ts'
import { decoderOf } from './body-decoder.ts'
import type { ByteBudget } from './byte-budget.ts'

/** What holds for one body. */
export interface BodyRules {
  /** Limit on the bytes that arrive and, of a coded body, on the bytes that it decodes to. */
  maxBytes: number
  /** Longest pause between two pieces. */
  idleMs: number
  budget: ByteBudget
}

/** A body that arrived in full. It owns its memory, so it can be transferred to another thread. */
export interface ReceivedBody {
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
    const pieces: Buffer[] = []
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
      pieces.push(piece)
    }
    const onEnd = (): void => {
      stop()
      resolve({ bytes: joined(pieces, received), release: () => rules.budget.give(taken) })
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

/** One piece of memory of exactly this size, outside the pool that small buffers share. */
function joined(pieces: Buffer[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
    freeMemory(piece)
  }
  return whole
}
