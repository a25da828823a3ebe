import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect } from 'vitest'
import type { TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { sharing as test } from '../shared-server.ts'
import { RUN_ORDER, resultsOfRun } from '../use-vigil.ts'
import { ask } from './ask.ts'

/**
 * Runs on a document, as a role that signs in, at an application whose sessions end when a mail address changes, and
 * whose users may change their password: what was changed is set back, and the role can still sign in.
 */

interface Person {
  readonly username: string
  mail: string
  password: string
}
type Answer = readonly [status: number, value: unknown]

let server: TestServer
let target: Server
let origin: string
const ada: Person = { username: 'ada', mail: 'ada@example.org', password: 'lovelace-1815' }
const before = { ...ada }
const tokens = new Set<string>()
const signIns: { sent: Record<string, unknown>; isTest: boolean }[] = []
let given = 0

function signIn(sent: Record<string, unknown>, isTest: boolean): Answer {
  signIns.push({ sent, isTest })
  if (sent['username'] !== ada.username || sent['password'] !== ada.password)
    return [401, { error: 'wrong name or password' }]
  const token = `session-of-ada-${++given}`
  tokens.add(token)
  return [200, { token }]
}

function answerTo({ method, url = '', headers }: IncomingMessage, body: string): Answer {
  const path = url.split('?', 1)[0]!
  let sent: Record<string, unknown> = {}
  try {
    if (body !== '') sent = JSON.parse(body)
  } catch {
    return [400, { error: 'not JSON' }]
  }
  if (path === '/login') return method === 'POST' ? signIn(sent, 'x-vigil-test' in headers) : [405, {}]
  if (path === '/people') return [200, [{ username: ada.username }]]
  if (path === '/people/ada') return [200, { username: ada.username, mail: ada.mail }]
  const field = /^\/people\/ada\/(mail|password)$/.exec(path)?.[1] as 'mail' | 'password' | undefined
  if (field === undefined) return [404, {}]
  if (method !== 'PUT') return [405, {}]
  const token = (headers.authorization ?? '').replace('Bearer ', '')
  if (!tokens.has(token)) return [401, { error: 'sign in' }]
  if (typeof sent[field] !== 'string') return [400, { error: field }]
  ada[field] = sent[field]
  if (field === 'mail') tokens.delete(token)
  return [200, { done: true }]
}

test.beforeAll(async ({ shared }) => {
  target = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const [status, value] = answerTo(request, Buffer.concat(parts).toString())
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    })
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(target.address() as AddressInfo).port}`
  server = shared
})

afterAll(async () => {
  target?.closeAllConnections()
  await new Promise((resolve) => target.close(resolve))
})

const good = { 200: { description: 'ok' } }
const username = [{ name: 'username', in: 'path', required: true, schema: { type: 'string' } }]
const content = (properties: Record<string, string>) => ({
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, example]) => [name, { type: 'string', example }]),
        ),
      },
    },
  },
})
const paths = {
  '/people': { get: { security: [], responses: good } },
  '/people/{username}': { get: { security: [], parameters: username, responses: good } },
  '/login': {
    post: {
      security: [],
      requestBody: content({ username: 'somebody', password: 'a-guess' }),
      responses: good,
    },
  },
  '/people/{username}/mail': {
    put: { parameters: username, requestBody: content({ mail: 'new@example.org' }), responses: good },
  },
  '/people/{username}/password': {
    put: { parameters: username, requestBody: content({ password: 'a-new-one' }), responses: good },
  },
}

/** Runs tests on the document as Ada, who signs in. */
async function run(
  name: string,
  selectedTests: string[],
  { writeLevel, leftOut }: { writeLevel: 'REVERSIBLE' | 'ALL'; leftOut: 'mail' | 'password' },
) {
  const vigil = vigilOf(server)
  await vigil.call('addTestRoles', { roleName: name, andConditions: null, orConditions: null })
  await vigil.call('addAuthToRole', {
    roleName: name,
    apiCond: {},
    authAutomationType: 'LOGIN_REQUEST',
    reqData: [
      {
        url: `${origin}/login`,
        method: 'POST',
        body: JSON.stringify({ username: before.username, password: before.password }),
      },
    ],
    authParamData: [
      {
        where: 'HEADER',
        key: 'Authorization',
        value: `Bearer \${x1.response.body.token}`,
        showHeader: true,
      },
    ],
  })
  const { [`/people/{username}/${leftOut}`]: _, ...described } = paths as Record<string, object>
  const document = {
    openapi: '3.1.0',
    info: { title: name, version: '1' },
    servers: [{ url: origin }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    security: [{ bearer: [] }],
    paths: described,
  }
  const { apiCollectionId } = await ask(server, 'importTraffic', {
    content: JSON.stringify(document),
    apiCollectionName: name,
  })
  const { testRoles } = await ask(server, 'fetchTestRoles', {})
  const results = await resultsOfRun(vigil, {
    ...RUN_ORDER,
    testName: name,
    apiCollectionId,
    selectedTests,
    testRoleId: testRoles!.find((role) => role.name === name)!.hexId,
    cleanUpTestingResources: true,
    writeLevel,
  })
  return results
}

test('sets back what it changed with a session that is over', async () => {
  await run('ada at ease', ['SQLI_ERROR_BODY'], { writeLevel: 'REVERSIBLE', leftOut: 'password' })
  expect(ada).toEqual(before)
})

test('gives the role no other password, so that it can sign in until the end', async () => {
  const results = await run('ada at risk', ['SQLI_ERROR_BODY', 'BOLA_UPDATE'], {
    writeLevel: 'ALL',
    leftOut: 'mail',
  })
  expect(ada).toEqual(before)
  expect(results.flatMap(({ errorsList }) => errorsList).join('\n')).not.toContain('could not sign in')
})

test('signs in as the role does where the document describes the sign-in', async () => {
  signIns.length = 0
  await run('ada at the door', ['USER_ENUMERATION_LOGIN'], { writeLevel: 'ALL', leftOut: 'mail' })
  const own = { username: before.username, password: before.password }
  expect(signIns.filter(({ isTest }) => isTest).map(({ sent }) => sent)).toContainEqual(own)
})
