import type { IncomingMessage } from 'node:http'
import { Failure } from '../kit/index.ts'
import type { ByteBudget } from './byte-budget.ts'

/** What holds for one body. */
export interface BodyRules {
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
 * Reads a body within its limits. The announced length is taken from the budget at once, a body of unknown length
 * piece by piece.
 *
 * @throws Failure BODY_TOO_LARGE, OVERLOADED, REQUEST_TIMEOUT; CLIENT_GONE when the client hung up
 */
export async function readBody(request: IncomingMessage, rules: BodyRules): Promise<ReceivedBody> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > rules.maxBytes) throw new Failure('BODY_TOO_LARGE', { limit: rules.maxBytes })
  let taken = announced
  rules.budget.take(announced)
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let received = 0
    const idle = setTimeout(() => fail(new Failure('REQUEST_TIMEOUT')), rules.idleMs)
    const stop = (): void => {
      clearTimeout(idle)
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
    }
    const fail = (error: Error): void => {
      stop()
      rules.budget.give(taken)
      reject(error)
    }
    const onData = (piece: Buffer): void => {
      idle.refresh()
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
    const onClose = (): void => fail(new Failure('CLIENT_GONE'))
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })
}

/** One piece of memory of exactly this size, outside the pool that small buffers share. */
function joined(pieces: Buffer[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
