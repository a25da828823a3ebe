import type { FastifyInstance } from 'fastify'
import { requestIdHeader } from '../contract/index.ts'

/**
 * Content policy of every page: own files only, no inline scripts, no frames. Styles may stand inline because the
 * component library writes its theme that way.
 */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers on every answer. */
export function addSecurityHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({
      [requestIdHeader]: request.id,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
  })
  server.addHook('onSend', async (_request, reply) => {
    const type = String(reply.getHeader('content-type') ?? '')
    if (type.startsWith('text/html')) reply.header('content-security-policy', CONTENT_POLICY)
    else if (type.startsWith('application/json')) reply.header('cache-control', 'no-store')
  })
}
