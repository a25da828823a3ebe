import type { FastifyInstance } from 'fastify'
import { identifyReader } from './identify.ts'
import type { ServerParts } from './server-parts.ts'

/** GET /openapi.json, GET /reference and GET /metrics, for callers with a key or a session. */
export function addDocuments(server: FastifyInstance, parts: ServerParts): void {
  const { app, metrics } = parts
  server.get('/metrics', async (request, reply) => {
    if (!app.settings.openMetrics) await identifyReader(app, request)
    const { text, contentType } = await metrics.render()
    return reply.type(contentType).send(text)
  })
}
