import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import type { ScanResult } from '../../src/cli/scan/scan-result.ts'
import { runCli } from '../cli-process.ts'
import { testKey } from '../harness.ts'
import { sharing as test } from '../shared-server.ts'

/**
 * `vigil scan` with nothing but a document and two users, at an application that keeps notes of each user: nobody was
 * recorded, so whose note it is and what the attacker may use at all is found out by asking.
 */

interface Note {
  readonly id: number
  readonly owner: string
  title: string
}
type Answer = readonly [status: number, value?: unknown]

const people = ['ann', 'bob']
const folder = mkdtempSync(join(tmpdir(), 'vigil-two-users-'))
const servers: Server[] = []

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  rmSync(folder, { recursive: true, force: true })
})

/**
 * Notes of both users; the weak application lets everybody read and change all of them, the silent one does not say what
 * it made.
 */
class Notes {
  readonly notes = new Map<number, Note>(
    people.map((owner, at) => [at + 1, { id: at + 1, owner, title: `Note of ${owner}` }]),
  )
  readonly #isWeak: boolean
  readonly #isSilent: boolean
  #last = 2

  constructor(isWeak: boolean, isSilent = false) {
    this.#isWeak = isWeak
    this.#isSilent = isSilent
  }

  answer({ method, url = '', headers }: IncomingMessage, sent: Record<string, unknown>): Answer {
    if (url === '/login')
      return people.includes(String(sent['name'])) ? [200, { token: `t-${sent['name']}` }] : [401, {}]
    const owner = people.find((name) => headers.authorization === `Bearer t-${name}`)
    if (owner === undefined) return [401, {}]
    if (url === '/notes' && method === 'GET')
      return [200, [...this.notes.values()].filter((note) => note.owner === owner)]
    if (url === '/notes' && method === 'POST') {
      if (typeof sent['title'] !== 'string') return [400, {}]
      const note = { id: ++this.#last, owner, title: sent['title'] }
      this.notes.set(note.id, note)
      return [201, this.#isSilent ? { done: true } : note]
    }
    const note = this.notes.get(Number(/^\/notes\/(\d+)$/.exec(url)?.[1]))
    if (note === undefined) return [404, {}]
    const isOwn = note.owner === owner
    if (!isOwn && (!this.#isWeak || method === 'DELETE')) return [403, {}]
    if (method === 'GET') return [200, note]
    if (method === 'DELETE') return [this.notes.delete(note.id) ? 204 : 404]
    if (method !== 'PUT' || typeof sent['title'] !== 'string') return [400, {}]
    note.title = sent['title']
    return [200, note]
  }
}

async function started(notes: Notes): Promise<string> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const [status, value] = notes.answer(request, body.startsWith('{') ? JSON.parse(body) : {})
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(value === undefined ? '' : JSON.stringify(value))
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const responses = { 200: { description: 'ok' } }
const requestBody = {
  content: {
    'application/json': {
      schema: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
    },
  },
}
const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Notes', version: '1' },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  security: [{ bearer: [] }],
  paths: {
    '/notes': { get: { responses }, post: { requestBody, responses } },
    '/notes/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses },
      put: { requestBody, responses },
      delete: { responses },
    },
  },
}

const loginOf = (name: string) => ({
  login: { url: '/login', body: { name } },
  headers: { Authorization: `Bearer \${login.response.body.token}` },
})

async function scanned(name: string, notes: Notes, server: string) {
  const [document, roles, json] = ['document', 'roles', 'result'].map((kind) =>
    join(folder, `${name}-${kind}.json`),
  ) as [string, string, string]
  writeFileSync(document, JSON.stringify(DOCUMENT))
  writeFileSync(roles, JSON.stringify({ USER: loginOf('ann'), ATTACKER: loginOf('bob') }))
  const target = await started(notes)
  const tests = 'BOLA_READ,BOLA_UPDATE,BOLA_DELETE'
  const { code } = await runCli(
    ['scan', document, '--target', target, '--roles', roles, '--tests', tests, '--json', json].concat(
      ...[['--server', server, '--key', testKey, '--collection', name]],
    ),
  )
  return { code, result: JSON.parse(readFileSync(json, 'utf8')) as ScanResult }
}

test("a read and a change of another user's object are found, and nothing is left behind", async ({
  shared,
}) => {
  const notes = new Notes(true)
  const { code, result } = await scanned('weak-notes', notes, shared.baseUrl)
  const found = result.findings.map(({ testId, severity }) => [testId, severity]).sort()
  expect(found).toEqual([
    ['BOLA_READ', 'HIGH'],
    ['BOLA_UPDATE', 'CRITICAL'],
  ])
  expect(code).toBe(10)
  expect([...notes.notes]).toEqual([...new Notes(true).notes])
})

test('a sound application passes, because the attacker was seen to use its own objects', async ({
  shared,
}) => {
  const notes = new Notes(false)
  const { code, result } = await scanned('sound-notes', notes, shared.baseUrl)
  expect(result.findings).toEqual([])
  expect(result.checks).toMatchObject({ passed: 3, notTested: 0 })
  expect(code).toBe(0)
  expect([...notes.notes]).toEqual([...new Notes(false).notes])
})

test('what the attacker made is deleted where only its list shows it', async ({ shared }) => {
  const notes = new Notes(false, true)
  const { result } = await scanned('silent-notes', notes, shared.baseUrl)
  expect(result.findings).toEqual([])
  expect([...notes.notes]).toEqual([...new Notes(false).notes])
})
