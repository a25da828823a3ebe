import type { ConnectionTarget, Connector } from './connector.ts'
import type { OutgoingRequest } from './outgoing.ts'
import type { PendingAnswer } from './pending-answer.ts'
import { WireAnswer } from './wire-answer.ts'
import { wireRequest } from './wire-request.ts'

/**
 * Sends a request byte for byte over a separate connection, for what no HTTP library sends: any method, target and
 * header line. The connection stays open in both directions until the answer is there: a server may take a half-closed
 * one for a caller that went away.
 */
export function startRawExchange(
  connector: Connector,
  target: ConnectionTarget,
  request: OutgoingRequest,
  answer: PendingAnswer,
  headBytes: number,
): void {
  connector.open(target, (error, socket) => {
    if (socket === null) {
      answer.fail(error ?? new Error('no connection'))
      return
    }
    answer.onCancel(() => socket.destroy())
    answer.remoteAddress = socket.remoteAddress ?? ''
    const reader = new WireAnswer(answer, request.method, headBytes)
    socket.on('data', (bytes: Buffer) => reader.take(bytes))
    socket.on('error', (failure) => {
      if (!answer.hasHead) answer.fail(failure)
    })
    socket.on('close', () => reader.close())
    answer.promise.then(
      () => socket.destroy(),
      () => socket.destroy(),
    )
    socket.write(wireRequest(request))
  })
}
