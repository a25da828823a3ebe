import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../kit/index.ts'
import type { ServerParts } from './server-parts.ts'

const PAGE = 'index.html'
const ASSETS = '/assets/'
/** A path that names a file: what is not there is not the page. */
const FILE_NAME = /\.[a-z0-9]{1,8}$/i
const YEAR_SECONDS = 31_536_000

const NOT_BUILT_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Vigil</title></head>
<body><h1>Vigil is running</h1>
<p>The dashboard was not built. Run <code>npm ci</code> (or <code>npm run build</code>) in the folder of the program
and start it again. The interface under <code>/api</code> works without it.</p></body></html>
`

/** Folder of the built dashboard beside the sources or the compiled program, or null when there is none. */
export function findDashboard(): string | null {
  const fromHere = import.meta.url.endsWith('.ts') ? '../../dist/dashboard' : '../dashboard'
  const folder = fileURLToPath(new URL(fromHere, import.meta.url))
  return existsSync(join(folder, PAGE)) ? folder : null
}

/**
 * The dashboard's files, public because they hold no data, and its page for every address that is not a file: the page
 * itself knows its routes.
 */
export async function addDashboard(server: FastifyInstance, { dashboardDir }: ServerParts): Promise<void> {
  if (dashboardDir !== null) {
    await server.register(fastifyStatic, {
      root: dashboardDir,
      cacheControl: false,
      setHeaders(response, path) {
        const isNamedByContent = path.includes(ASSETS)
        response.header(
          'cache-control',
          isNamedByContent ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
        )
      },
    })
  }
  server.setNotFoundHandler((request, reply) => answerOther(request, reply, dashboardDir !== null))
}

function answerOther(request: FastifyRequest, reply: FastifyReply, isBuilt: boolean): FastifyReply {
  const path = request.url.split('?', 1)[0]!
  const isPage = request.method === 'GET' && !path.startsWith('/api/') && !FILE_NAME.test(path)
  if (!isPage || !(request.headers.accept ?? '').includes('text/html')) throw new Failure('NOT_FOUND')
  if (isBuilt) return reply.sendFile(PAGE)
  return reply.type('text/html;charset=utf-8').send(NOT_BUILT_PAGE)
}
