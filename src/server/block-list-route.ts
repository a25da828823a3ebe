import type { FastifyInstance } from 'fastify'
import { blockListAnswer } from '../app/index.ts'
import { identifyUnrestricted } from './identify.ts'
import type { ServerParts } from './server-parts.ts'

/** GET /api/blocklist: who is blocked, for gateways; 304 while nothing changed (RFC 9110 section 13.1.2). */
export function addBlockListRoute(server: FastifyInstance, { app }: ServerParts): void {
  server.get('/api/blocklist', async (request, reply) => {
    const caller = await identifyUnrestricted(app, request)
    const { format } = request.query as { format?: unknown }
    const { text, mediaType, tag } = await blockListAnswer(app, caller, format)
    reply.header('etag', tag).header('cache-control', 'private, no-cache')
    if (isNamed(request.headers['if-none-match'], tag)) return reply.code(304).send()
    return reply.type(mediaType).send(text)
  })
}

/** Whether an If-None-Match header names a tag; weak ones compare equal. */
function isNamed(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const tags = header.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(tag)
}
