import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerParts } from './server-parts.ts'
import { traceOf } from './trace.ts'

/**
 * Takes the announced bytes of a live batch from their budget until it is answered, before the body is read: what does
 * not fit is refused at once, instead of after it waited for detection and analysis.
 *
 * @throws Failure OVERLOADED
 */
export function admitBatch(
  { ingestBudget, drain }: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const bytes = Number(request.raw.headers['content-length'] ?? 0)
  try {
    ingestBudget.takeOrBeAlone(bytes)
  } catch (error) {
    drain.take(request.raw)
    reply.header('connection', 'close')
    throw error
  }
  traceOf(request).releases.push(() => ingestBudget.give(bytes))
}
