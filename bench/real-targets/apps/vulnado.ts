import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../../scripts/postgres.ts'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { mavenSources } from '../install.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { runningOn } from '../running-on.ts'
import type { Place, Running, Target, Visit } from '../target.ts'

const COMMIT = '53336e1'

/** Vulnado, whose users are those that it is started with. */
export const vulnado: Target = {
  name: 'vulnado',
  sound: false,
  make: 'Java, Spring Boot, REST',
  source: `github.com/ScaleSec/vulnado ${COMMIT}`,
  start,
  prepare: (origin) => Promise.resolve(visitTo(origin)),
  routes: () => Promise.resolve(ROUTES),
  volatile: [],
  // Its exercises, and what its controllers leave unchecked: only the list of comments looks at the token.
  weaknesses: [
    { name: 'exercise 1: SQL injection', at: 'POST /login', tests: ['SQLI_*'] },
    { name: 'exercise 3: server-side request forgery', at: 'GET /links', tests: ['SSRF_*'] },
    { name: 'exercise 3: the same, filtered', at: 'GET /links-v2', tests: ['SSRF_*'] },
    { name: 'exercise 4: remote code execution', at: 'GET /cowsay', tests: ['CMDI_QUERY'] },
    {
      name: 'comments written without a valid token',
      at: 'POST /comments',
      tests: ['MISSING_AUTHENTICATION*', 'INVALID_CREDENTIALS_ACCEPTED', 'JWT_*'],
    },
    {
      name: 'comments of others deleted',
      at: 'DELETE /comments/{id}',
      tests: ['BOLA_DELETE', 'MISSING_AUTHENTICATION*', 'INVALID_CREDENTIALS_ACCEPTED', 'JWT_*'],
    },
  ],
  judged: [
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'No x-content-type-options in the answers.',
    },
    {
      test: 'LOGIN_BRUTE_FORCE',
      at: 'POST /login',
      verdict: 'true',
      why: 'LoginController.java counts no attempts.',
    },
  ],
}

const ROUTES = [
  'POST /login',
  'GET /comments',
  'POST /comments',
  'DELETE /comments/{id}',
  'GET /cowsay',
  'GET /links',
  'GET /links-v2',
]

async function start({ programs, data, port }: Place): Promise<Running> {
  const jar = mavenSources(
    programs,
    `vulnado-${COMMIT}`,
    { repository: 'https://github.com/ScaleSec/vulnado', commit: COMMIT },
    'vulnado-0.0.1-SNAPSHOT.jar',
  )
  const postgres = await startPostgres(data)
  if (postgres === null) throw new Error('vulnado needs the programs of a PostgreSQL server')
  const { host, pathname, username } = new URL(postgres.url)
  await closeIdleSessions(postgres.url)
  const origin = `http://127.0.0.1:${port}`
  const folder = join(data, 'vulnado')
  mkdirSync(folder)
  const started = await startProgram({
    command: 'java',
    args: [`-Djava.io.tmpdir=${folder}`, '-jar', jar, `--server.port=${port}`, '--server.address=127.0.0.1'],
    folder,
    env: { PGHOST: host, PGDATABASE: pathname.slice(1), PGUSER: username, PGPASSWORD: 'none' },
    log: join(data, 'log'),
    ready: `${origin}/cowsay`,
  })
  return runningOn(postgres, origin, started)
}

/** It closes no connection after a write, and ends itself when it gets no further one. */
async function closeIdleSessions(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("ALTER SYSTEM SET idle_session_timeout = '2s'")
  await client.query('SELECT pg_reload_conf()')
  await client.end()
}

const PASSWORDS = {
  owner: ['alice', 'AlicePassword!'],
  attacker: ['eve', '$EVELknev^l'],
  administrator: ['admin', '!!SuperSecretAdmin!!'],
} as const

const visitTo =
  (origin: string): Visit =>
  async (client, person) => {
    const [username, password] = PASSWORDS[person]
    const { token } = jsonOf<{ token: string }>(await client.call('POST', '/login', { username, password }))
    client.headers = { 'x-auth-token': token }
    await use(client, username, origin)
  }

async function use(client: RecordingClient, username: string, origin: string): Promise<void> {
  await client.call('GET', '/comments')
  await client.call('POST', '/comments', { username, body: `What ${username} thinks` })
  const { id } = jsonOf<{ id: string }>(
    await client.call('POST', '/comments', { username, body: `What ${username} takes back` }),
  )
  await client.call('DELETE', `/comments/${id}`)
  await client.call('GET', '/cowsay?input=moo')
  // It sees the links of pages: its own answers are some.
  for (const path of ['/links', '/links-v2'])
    await client.call('GET', `${path}?url=${encodeURIComponent(`${origin}/cowsay`)}`)
}
