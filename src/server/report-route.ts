import type { FastifyInstance } from 'fastify'
import { reportFile } from '../app/index.ts'
import { findOperation } from '../contract/index.ts'
import { authorise, identify } from './identify.ts'
import type { ServerParts } from './server-parts.ts'

/** GET /api/report/<id>.pdf: a report that was made; 202 while it is being made. */
export function addReportRoute(server: FastifyInstance, { app }: ServerParts): void {
  server.get('/api/report/:file', async (request, reply) => {
    const { caller } = await identify(app, request)
    authorise(findOperation('downloadReportPDF')!, caller)
    const { file } = request.params as { file: string }
    const pdf = await reportFile(app, caller, file)
    if (pdf === null) return reply.code(202).send()
    return reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="vigil-${file}"`)
      .header('cache-control', 'private, no-store')
      .send(pdf)
  })
}
