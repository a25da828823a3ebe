import type { FastifyInstance } from 'fastify'
import { baseUrlOf } from '../app/index.ts'
import { requestIdHeader } from '../contract/index.ts'
import type { Settings } from '../kit/index.ts'

/**
 * Content policy of a page: own files only, no inline scripts but one that `ownScript` names by its hash, no frames.
 * Styles may stand inline because the component library writes its theme that way.
 */
export function contentPolicy(ownScript = ''): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${ownScript}`.trim(),
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
}

const PAGE_POLICY = contentPolicy()

/** A year: browsers that came over TLS do not come back without (RFC 6797). */
const STRICT_TRANSPORT = 'max-age=31536000'

/** Headers on every answer. */
export function addSecurityHeaders(server: FastifyInstance, settings: Settings): void {
  const isBehindTls = baseUrlOf(settings).startsWith('https:')
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({
      [requestIdHeader]: request.id,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
    // A proxy that is trusted says how the caller came.
    if (isBehindTls || request.protocol === 'https')
      reply.header('strict-transport-security', STRICT_TRANSPORT)
  })
  server.addHook('onSend', async (_request, reply) => {
    const type = String(reply.getHeader('content-type') ?? '')
    const isPage = type.startsWith('text/html')
    if (isPage && !reply.hasHeader('content-security-policy')) {
      reply.header('content-security-policy', PAGE_POLICY)
    }
    if (type.startsWith('application/json')) reply.header('cache-control', 'no-store')
  })
}
