import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const PREFIX = '/docs/'

const NOT_BUILT_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Vigil documentation</title></head>
<body><h1>The documentation was not built</h1>
<p>Run <code>npm ci</code> (or <code>npm run build</code>) in the folder of the program and start it again. The pages are
in its folder <code>docs</code> as well.</p></body></html>
`

/** Folder of the documentation as a site, beside the sources or the compiled program, or null when there is none. */
export function findDocsSite(): string | null {
  const fromHere = import.meta.url.endsWith('.ts') ? '../../dist/docs-site' : '../docs-site'
  const folder = fileURLToPath(new URL(fromHere, import.meta.url))
  return existsSync(join(folder, 'index.html')) ? folder : null
}

/** The documentation, public because it holds nothing of this installation. */
export async function addDocsSite(server: FastifyInstance, folder = findDocsSite()): Promise<void> {
  server.get('/docs', async (_request, reply) => reply.redirect(PREFIX))
  if (folder === null) {
    server.get(PREFIX, async (_request, reply) => reply.type('text/html;charset=utf-8').send(NOT_BUILT_PAGE))
    return
  }
  await server.register(fastifyStatic, {
    root: folder,
    prefix: PREFIX,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (response) => response.header('cache-control', 'no-cache'),
  })
}
