import { join } from 'node:path'
import { startPostgres } from '../../../scripts/postgres.ts'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { ask } from '../api.ts'
import { npmPackages } from '../install.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { runningOn } from '../running-on.ts'
import type { Place, Running, Target, Visit } from '../target.ts'

const VERSION = '9.10.0'
const APPLICATION = { 'x-parse-application-id': 'realTargets' }
const MASTER = { ...APPLICATION, 'x-parse-master-key': 'realTargetsMasterKey' }

/**
 * Parse Server with REST and GraphQL, accounts that lock, private notes, and payslips without access control: that is
 * no fault of the server, but its document says that classes without it are everybody's.
 */
export const parseServer: Target = {
  name: 'parse-server',
  sound: true,
  make: 'Node.js, REST and GraphQL',
  source: `npm parse-server@${VERSION}`,
  start,
  prepare,
  // The routes of its REST guide that this application's classes have.
  routes: () => Promise.resolve(ROUTES),
  // A change shows in another column than that of its time.
  volatile: ['_Session', '_Idempotency', '_User._failed_login_count', '_User.updatedAt'],
  weaknesses: [
    {
      name: 'payslips without access control',
      at: 'GET /parse/classes/Payslip/{id}',
      tests: ['BOLA_READ', 'MISSING_AUTHENTICATION'],
    },
  ],
  judged: [
    { test: 'GRAPHQL_OVER_GET', at: '*', verdict: 'true', why: 'A query in the address is executed.' },
    {
      test: 'MISSING_AUTHENTICATION',
      at: '* /parse/classes/*',
      verdict: 'true',
      why: 'Classes without permissions of their own are read and added to by everybody who has the key of the application.',
    },
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'No x-content-type-options in the answers.',
    },
    {
      test: 'MASS_ASSIGNMENT_*',
      at: '* /parse/classes/*',
      verdict: 'false',
      why: 'Objects of a class keep any field, with the type that it got first; nothing reads a role there.',
    },
    {
      test: 'LOGIN_BRUTE_FORCE',
      at: '*',
      verdict: 'false',
      why: 'The account locks after five failures; the text of the answer changes, its status 404 does not.',
    },
    {
      test: 'MISSING_AUTHENTICATION',
      at: 'POST /parse/verifyPassword',
      verdict: 'false',
      why: 'The credentials are in the body.',
    },
  ],
}

const ROUTES = [
  ...['Note', 'Payslip'].flatMap((name) => [
    `GET /parse/classes/${name}`,
    `POST /parse/classes/${name}`,
    ...['GET', 'PUT', 'DELETE'].map((method) => `${method} /parse/classes/${name}/{id}`),
  ]),
  'POST /parse/users',
  'GET /parse/users',
  ...['GET', 'PUT', 'DELETE'].map((method) => `${method} /parse/users/{id}`),
  'GET /parse/users/me',
  'POST /parse/login',
  'GET /parse/login',
  'POST /parse/logout',
  'POST /parse/verifyPassword',
  'GET /parse/sessions/me',
  'GET /parse/sessions',
  'POST /parse/requestPasswordReset',
  'GET /parse/config',
  'PUT /parse/config',
  'GET /parse/schemas',
  'GET /parse/schemas/{name}',
  'GET /parse/roles',
  'POST /parse/roles',
  'GET /parse/serverInfo',
  'GET /parse/health',
  'POST /parse/batch',
  'POST /graphql',
]

async function start({ programs, data, port }: Place): Promise<Running> {
  const folder = npmPackages(programs, `parse-server-${VERSION}`, [`parse-server@${VERSION}`])
  const postgres = await startPostgres(data)
  if (postgres === null) throw new Error('parse-server needs the programs of a PostgreSQL server')
  const origin = `http://127.0.0.1:${port}`
  const started = await startProgram({
    command: process.execPath,
    args: [join(folder, 'node_modules/parse-server/bin/parse-server')],
    folder: data,
    env: {
      NODE_ENV: 'production',
      PARSE_SERVER_APPLICATION_ID: APPLICATION['x-parse-application-id'],
      PARSE_SERVER_MASTER_KEY: MASTER['x-parse-master-key'],
      PARSE_SERVER_DATABASE_URI: postgres.url,
      PARSE_SERVER_HOST: '127.0.0.1',
      PORT: String(port),
      PARSE_SERVER_MOUNT_PATH: '/parse',
      PARSE_SERVER_URL: `${origin}/parse`,
      PARSE_SERVER_ALLOW_CLIENT_CLASS_CREATION: 'false',
      PARSE_SERVER_ACCOUNT_LOCKOUT: JSON.stringify({ duration: 5, threshold: 5 }),
      PARSE_SERVER_MOUNT_GRAPHQL: 'true',
      PARSE_SERVER_GRAPHQL_PATH: '/graphql',
    },
    log: join(data, 'log'),
    ready: `${origin}/parse/health`,
  })
  return runningOn(postgres, origin, started)
}

async function prepare(origin: string): Promise<Visit> {
  const text = { type: 'String' }
  for (const [name, fields] of [
    ['Note', { title: text, body: text }],
    ['Payslip', { employee: text, salary: { type: 'Number' } }],
  ] as const)
    await ask('POST', `${origin}/parse/schemas/${name}`, MASTER, { className: name, fields })
  await ask('PUT', `${origin}/parse/config`, MASTER, { params: { welcome: 'Hello' } })
  return (client, person) => {
    if (person === 'administrator') return manage(client)
    return work(client, person === 'owner' ? 'olga' : 'otto')
  }
}

async function work(client: RecordingClient, username: string): Promise<void> {
  client.headers = APPLICATION
  const password = `${username}-Passw0rd-1`
  const email = `${username}@work.example.com`
  const { objectId: id } = jsonOf<{ objectId: string }>(
    await client.call('POST', '/parse/users', { username, password, email }),
  )
  const { sessionToken } = jsonOf<{ sessionToken: string }>(
    await client.call('POST', '/parse/login', { username, password }),
  )
  await client.call('POST', '/parse/verifyPassword', { username, password })
  client.headers = { ...APPLICATION, 'x-parse-session-token': sessionToken }
  await client.call('GET', '/parse/users/me')
  await client.call('GET', `/parse/users/${id}`)
  await client.call('PUT', `/parse/users/${id}`, { phone: '555-0100' })
  await client.call('GET', '/parse/sessions/me')
  await client.call('GET', '/parse/config')
  for (const title of ['Groceries', 'Presents']) {
    const note = jsonOf<{ objectId: string }>(
      await client.call('POST', '/parse/classes/Note', {
        title,
        body: `${title} of ${username}`,
        ACL: { [id]: { read: true, write: true } },
      }),
    ).objectId
    await client.call('GET', `/parse/classes/Note/${note}`)
    await client.call('PUT', `/parse/classes/Note/${note}`, { body: `More ${title} of ${username}` })
    if (title === 'Presents') await client.call('DELETE', `/parse/classes/Note/${note}`)
  }
  await client.call('GET', '/parse/classes/Note?order=-createdAt&limit=10')
  const slip = jsonOf<{ objectId: string }>(
    await client.call('POST', '/parse/classes/Payslip', { employee: username, salary: 4200 }),
  ).objectId
  await client.call('GET', `/parse/classes/Payslip/${slip}`)
  await client.call(
    'GET',
    `/parse/classes/Payslip?where=${encodeURIComponent(JSON.stringify({ employee: username }))}`,
  )
  await client.call('POST', '/graphql', {
    query: 'query Mine { notes(first: 5) { edges { node { objectId title body } } } }',
    operationName: 'Mine',
  })
}

async function manage(client: RecordingClient): Promise<void> {
  client.headers = MASTER
  await client.call('GET', '/parse/serverInfo')
  await client.call('GET', '/parse/schemas')
  await client.call('GET', '/parse/schemas/Note')
  await client.call('GET', '/parse/users?limit=20')
  await client.call('GET', '/parse/sessions?limit=20')
  await client.call('GET', '/parse/config')
  await client.call('PUT', '/parse/config', { params: { welcome: 'Hello all' } })
  await client.call('POST', '/parse/roles', { name: 'managers', ACL: { '*': { read: true } } })
  await client.call('GET', '/parse/roles')
}
