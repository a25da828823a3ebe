import type { FastifyInstance, FastifyReply } from 'fastify'
import {
  baseUrlOf,
  callerOfRefreshToken,
  filterSchema,
  refreshCookieName,
  templateSchema,
} from '../app/index.ts'
import { openApiDocument, referencePage, referenceScriptSource } from '../contract/index.ts'
import { identifyReader, identifyUnrestricted } from './identify.ts'
import { jsonType } from './json-type.ts'
import { contentPolicy } from './security-headers.ts'
import type { ServerParts } from './server-parts.ts'

/** The documents of the interface and the figures, for callers with a key or a session. */
export function addDocuments(server: FastifyInstance, { app, metrics }: ServerParts): void {
  const documents: { name: string; reply: (reply: FastifyReply) => FastifyReply }[] = [
    { name: 'openapi.json', reply: openApiReply(baseUrlOf(app.settings)) },
    { name: 'reference', reply: referenceReply() },
  ]
  for (const { name, reply: send } of documents) {
    server.get(`/${name}`, async (request, reply) => {
      await identifyReader(app, request)
      return send(reply)
    })
    // A link in the dashboard sends no header: under this path the browser adds the session's cookie.
    server.get(`/dashboard/${name}`, async (request, reply) => {
      await callerOfRefreshToken(app.access, request.cookies[refreshCookieName] ?? '')
      return send(reply)
    })
  }
  // Editors ask for them without any credential; they tell nothing of the installation.
  const [sendTemplateSchema, sendFilterSchema] = [schemaReply(templateSchema), schemaReply(filterSchema)]
  server.get('/template-schema.json', async (_request, reply) => sendTemplateSchema(reply))
  server.get('/filter-schema.json', async (_request, reply) => sendFilterSchema(reply))
  server.get('/metrics', async (request, reply) => {
    if (!app.settings.openMetrics) await identifyUnrestricted(app, request)
    const { text, contentType } = await metrics.render()
    return reply.type(contentType).send(text)
  })
}

/** Both documents are made at their first reading: starting does not wait for them. */
function openApiReply(serverUrl: string): (reply: FastifyReply) => FastifyReply {
  let text: string | undefined
  return (reply) => {
    text ??= JSON.stringify(openApiDocument({ serverUrl }), null, 2)
    return reply.type(jsonType).send(text)
  }
}

function schemaReply(schema: () => object): (reply: FastifyReply) => FastifyReply {
  let text: string | undefined
  return (reply) => {
    text ??= JSON.stringify(schema(), null, 2)
    return reply.type(jsonType).send(text)
  }
}

function referenceReply(): (reply: FastifyReply) => FastifyReply {
  let page: string | undefined
  return (reply) => {
    page ??= referencePage()
    const policy = contentPolicy(referenceScriptSource)
    return reply.type('text/html;charset=utf-8').header('content-security-policy', policy).send(page)
  }
}
