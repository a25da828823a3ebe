import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { NATIVE_NODE, nodeSources } from '../install.ts'
import { operationsOf } from '../operations.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { sqliteDatabase } from '../snapshot.ts'
import type { Place, Running, Target, Visit } from '../target.ts'

const COMMIT = 'b977c74'

const OPEN = ['MISSING_AUTHENTICATION', 'MISSING_AUTHENTICATION_OUTLIER']
const OTHERS = ['BOLA_*', ...OPEN]
const FUNCTION = ['BFLA_*', ...OPEN]

/** A beer shop without access control but for the list of its users. */
export const vulnNode: Target = {
  name: 'vuln-node',
  sound: false,
  make: 'Node.js, Express, REST and server-rendered',
  source: `github.com/SirAppSec/vuln-node.js-express.js-app ${COMMIT}`,
  start,
  prepare,
  routes: async (origin) => operationsOf(await (await fetch(`${origin}/v1/api-docs`)).json()),
  volatile: [],
  // What its OpenAPI document says of each operation. Left out: uploads of XML files, what runs in browsers, and an
  // operation that unpacks objects and never answers.
  weaknesses: [
    { name: 'personal data of all users', at: 'GET /v1/order', tests: OPEN },
    { name: 'path traversal', at: 'GET /v1/beer-pic', tests: ['PATH_TRAVERSAL_QUERY'] },
    { name: 'SQL injection', at: 'GET /v1/search/*', tests: ['SQLI_*'] },
    { name: 'remote code execution', at: 'GET /v1/status/*', tests: ['CMDI_PATH'] },
    { name: 'insecure redirect', at: 'GET /v1/redirect', tests: ['OPEN_REDIRECT_QUERY'] },
    { name: 'server-side request forgery', at: 'GET /v1/test', tests: ['SSRF_*'] },
    { name: 'JWT manipulation', at: 'GET /v1/admin/users', tests: ['JWT_*'] },
    { name: 'data of another user', at: 'GET /v1/user/{id}', tests: OTHERS },
    { name: 'user deleted by anybody', at: 'DELETE /v1/user/{id}', tests: OTHERS },
    { name: 'user changed by anybody', at: 'PUT /v1/user/{id}', tests: OTHERS },
    { name: 'mass assignment', at: 'PUT /v1/user/{id}', tests: ['MASS_ASSIGNMENT_*'] },
    { name: 'slow expression', at: 'POST /v1/user', tests: ['REDOS_EMAIL'] },
    { name: 'user enumeration', at: 'POST /v1/user/login', tests: ['USER_ENUMERATION_LOGIN'] },
    { name: 'insecure tokens', at: '*', tests: ['JWT_WEAK_SECRET'] },
    { name: 'promotion to administrator', at: 'PUT /v1/admin/promote/{id}', tests: FUNCTION },
    { name: 'privileged interface exposed', at: 'POST /v1/admin/new-beer', tests: FUNCTION },
    {
      name: 'no limit on one-time passwords',
      at: 'POST /v1/user/{id}/validate-otp',
      tests: ['LOGIN_BRUTE_FORCE'],
    },
  ],
  judged: [
    {
      test: 'SESSION_COOKIE_NOT_HTTPONLY',
      at: '*',
      verdict: 'true',
      why: 'server.js sets httpOnly: false for its session.',
    },
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'No x-content-type-options in the answers.',
    },
    {
      test: 'STACK_TRACE_*',
      at: '*',
      verdict: 'true',
      why: 'Express shows its errors with their frames.',
    },
    {
      test: 'UNBOUNDED_TEXT_LENGTH',
      at: '*',
      verdict: 'true',
      why: 'The models have no length.',
    },
    {
      test: 'MISSING_AUTHENTICATION',
      at: 'POST /v1/love/{}',
      verdict: 'true',
      why: 'The user named in the query loves the beer, regardless of who asks.',
    },
    {
      test: 'LOGIN_BRUTE_FORCE',
      at: 'POST /v1/user/*',
      verdict: 'true',
      why: 'user.js counts no attempts.',
    },
    {
      test: 'INVALID_CREDENTIALS_ACCEPTED',
      at: '*',
      verdict: 'true',
      why: 'Only the list of users verifies its token.',
    },
  ],
}

// On this machine only. A rejected promise ends a newer Node.js; the application is made for an older one, which continues.
const MAIN = `
const { Server } = require('node:net')
const { listen } = Server.prototype
Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, { port, host: '127.0.0.1' }, ...rest)
}
process.on('unhandledRejection', (error) => console.error(error))
require('./src/server.js')
`

async function start({ programs, data, port }: Place): Promise<Running> {
  const sources = nodeSources(
    programs,
    `vuln-node-${COMMIT}`,
    { repository: 'https://github.com/SirAppSec/vuln-node.js-express.js-app', commit: COMMIT },
    // The version that it names is built by no current Node.js.
    ['libxmljs@1.0.11'],
  )
  const folder = join(data, 'vuln-node')
  cpSync(sources, folder, { recursive: true })
  for (const name of ['db', 'uploads', 'bin']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'uploads/beer'), 'a picture')
  // It asks a public search engine by curl: nothing here leaves this machine.
  writeFileSync(join(folder, 'bin/curl'), '#!/bin/sh\necho found\n')
  chmodSync(join(folder, 'bin/curl'), 0o755)
  const origin = `http://127.0.0.1:${port}`
  const program = await startProgram({
    command: NATIVE_NODE,
    args: ['-e', MAIN],
    folder,
    env: { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, APP_PORT: String(port) },
    log: join(data, 'log'),
    ready: `${origin}/v1/api-docs`,
  })
  return { origin, database: sqliteDatabase(join(folder, 'db/db.sqlite')), stop: program.stop }
}

async function prepare(origin: string): Promise<Visit> {
  const post = async (path: string, body: unknown): Promise<number> => {
    const answer = await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return ((await answer.json()) as { id: number }).id
  }
  const beer = await post('/v1/admin/new-beer/', { name: 'Stout', price: 4, picture: 'beer' })
  for (const name of ['olga', 'otto', 'root'])
    await post('/v1/user/', { ...accountOf(name), role: name === 'root' ? 'admin' : 'user' })
  return (client, person) => {
    if (person === 'administrator') return manage(client)
    return drink(client, person === 'owner' ? 'olga' : 'otto', { origin, beer })
  }
}

function accountOf(name: string) {
  return {
    name,
    email: `${name}@beers.com`,
    password: `${name}-Passw0rd-1`,
    address: `Long Lane of ${name}`,
  }
}

async function signIn(client: RecordingClient, name: string): Promise<number> {
  const { email, password } = accountOf(name)
  await client.call('POST', '/v1/user/login', { email, password })
  const { jwt, user } = jsonOf<{ jwt: string; user: { id: number }[] }>(
    await client.call('POST', '/v1/user/token', { email, password }),
  )
  client.headers = { authorization: `Bearer ${jwt}` }
  return user[0]!.id
}

async function drink(
  client: RecordingClient,
  name: string,
  { origin, beer }: { readonly origin: string; readonly beer: number },
): Promise<void> {
  await client.call('POST', '/v1/user/', { ...accountOf(`${name}2`), role: 'user' })
  const id = await signIn(client, name)
  await client.call('GET', `/v1/user/${id}`)
  await client.call('PUT', `/v1/user/${id}`, { address: `Short Lane of ${name}` })
  await client.call('POST', `/v1/love/${beer}?id=${id}&front=`)
  await client.call('GET', '/v1/order')
  await client.call('GET', '/v1/beer-pic/?picture=beer')
  await client.call('GET', '/v1/search/name/Stout')
  await client.call('GET', '/v1/status/Stout')
  await client.call('GET', '/v1/redirect/?url=https://beers.example.com/')
  await client.call('GET', `/v1/test/?url=${encodeURIComponent(`${origin}/v1/order`)}`)
  await client.call('POST', `/v1/user/${id}/validate-otp?token=123456`)
}

async function manage(client: RecordingClient): Promise<void> {
  const leaver = jsonOf<{ id: number }>(
    await client.call('POST', '/v1/user/', { ...accountOf('leaver'), role: 'user' }),
  )
  await signIn(client, 'root')
  await client.call('GET', '/v1/admin/users/')
  await client.call('POST', '/v1/admin/new-beer/', { name: 'Porter', price: 5, picture: 'beer' })
  await client.call('PUT', `/v1/admin/promote/${leaver.id}`)
  await client.call('GET', `/v1/user/${leaver.id}`)
  await client.call('DELETE', `/v1/user/${leaver.id}`)
}
