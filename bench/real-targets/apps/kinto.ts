import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../../scripts/postgres.ts'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { ask } from '../api.ts'
import { pythonPackages } from '../install.ts'
import { operationsOf } from '../operations.ts'
import { runCommand, startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { runningOn } from '../running-on.ts'
import type { Place, Running, Target, Visit } from '../target.ts'

const VERSION = '26.5.0'
const ADMIN = { id: 'admin', password: 'Admin-Passw0rd-1' }

/** Kinto with accounts; everybody keeps lists in a bucket of their own. */
export const kinto: Target = {
  name: 'kinto',
  sound: true,
  make: 'Python, Pyramid, REST',
  source: `PyPI kinto==${VERSION}`,
  start,
  prepare,
  routes: async (origin) =>
    operationsOf(await ask('GET', `${origin}/v1/__api__`)).map((route) =>
      route.replace(' /', ' /v1/').replace('/v1/v1/', '/v1/'),
    ),
  // A change shows in the data beside the time of the last one.
  volatile: ['timestamps', 'metadata', 'objects.last_modified'],
  // It keeps what was deleted for clients that synchronise.
  isMarked: (table, row) => table === 'objects' && row['deleted'] === true,
  weaknesses: [],
  judged: [
    {
      test: 'PASSWORD_HASH_IN_RESPONSE',
      at: '* /v1/accounts*',
      verdict: 'true',
      why: "An account's answers hold its bcrypt hash.",
    },
    {
      test: 'MASS_ASSIGNMENT_NESTED_ROLE',
      at: '*',
      verdict: 'false',
      why: 'Objects hold any field as data; nothing reads a role there.',
    },
    {
      test: 'MISSING_AUTHENTICATION_OUTLIER',
      at: 'GET /v1/__heartbeat__',
      verdict: 'false',
      why: 'A health check, open on purpose.',
    },
    { test: 'UNBOUNDED_TEXT_LENGTH', at: '*', verdict: 'true', why: 'Kept at any length.' },
  ],
}

async function start({ programs, data, port }: Place): Promise<Running> {
  const bin = pythonPackages(programs, `kinto-${VERSION}`, [
    `kinto[postgresql]==${VERSION}`,
    'waitress==3.0.2',
    'setuptools<81',
  ])
  const postgres = await startPostgres(data)
  if (postgres === null) throw new Error('kinto needs the programs of a PostgreSQL server')
  const origin = `http://127.0.0.1:${port}`
  const settings = join(data, 'kinto.ini')
  const url = postgres.url.replace('postgres:', 'postgresql:')
  writeFileSync(
    settings,
    `[server:main]
use = egg:waitress
host = 127.0.0.1
port = ${port}
threads = 4
[app:main]
use = egg:kinto
kinto.userid_hmac_secret = real-targets-secret
kinto.storage_backend = kinto.core.storage.postgresql
kinto.storage_url = ${url}
kinto.permission_backend = kinto.core.permission.postgresql
kinto.permission_url = ${url}
kinto.cache_backend = kinto.core.cache.memory
kinto.includes = kinto.plugins.accounts
multiauth.policies = account
multiauth.policy.account.use = kinto.plugins.accounts.authentication.AccountsAuthenticationPolicy
kinto.account_create_principals = system.Everyone
kinto.account_write_principals = account:admin
kinto.bucket_create_principals = system.Authenticated
`,
  )
  const program = { folder: data, log: join(data, 'log') }
  await runCommand({ ...program, command: join(bin, 'kinto'), args: ['migrate', '--ini', settings] })
  const started = await startProgram({
    ...program,
    command: join(bin, 'pserve'),
    args: [settings],
    ready: `${origin}/v1/`,
  })
  return runningOn(postgres, origin, started)
}

async function prepare(origin: string): Promise<Visit> {
  await ask('PUT', `${origin}/v1/accounts/${ADMIN.id}`, {}, { data: { password: ADMIN.password } })
  return (client, person) => {
    if (person === 'administrator') return manage(client)
    return keepLists(client, person === 'owner' ? 'olga' : 'otto')
  }
}

function basic(name: string, password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` }
}

async function keepLists(client: RecordingClient, name: string): Promise<void> {
  const password = `${name}-Passw0rd-1`
  await client.call('GET', '/v1/')
  await client.call('PUT', `/v1/accounts/${name}`, { data: { password } })
  client.headers = basic(name, password)
  await client.call('GET', '/v1/')
  await client.call('GET', `/v1/accounts/${name}`)
  const bucket = `/v1/buckets/${name}-home`
  await client.call('PUT', bucket, { data: { colour: 'green' } })
  await client.call('GET', bucket)
  await client.call('PATCH', bucket, { data: { colour: 'blue' } })
  await client.call('GET', '/v1/buckets')
  for (const list of ['groceries', 'books']) {
    await client.call('PUT', `${bucket}/collections/${list}`, { data: { sort: 'title' } })
    await client.call('GET', `${bucket}/collections/${list}`)
    const records = `${bucket}/collections/${list}/records`
    for (const title of ['first', 'second']) {
      const { data } = jsonOf<{ data: { id: string } }>(
        await client.call('POST', records, { data: { title: `${title} of ${name}`, done: false } }),
      )
      await client.call('GET', `${records}/${data.id}`)
      await client.call('PATCH', `${records}/${data.id}`, { data: { done: true } })
      if (title === 'second') await client.call('DELETE', `${records}/${data.id}`)
    }
    await client.call('GET', `${records}?_limit=10&_sort=title`)
  }
  await client.call('GET', `${bucket}/collections`)
  await client.call('POST', `${bucket}/groups`, { data: { members: [`account:${name}`] } })
  await client.call('GET', `${bucket}/groups`)
}

async function manage(client: RecordingClient): Promise<void> {
  client.headers = basic(ADMIN.id, ADMIN.password)
  await client.call('GET', '/v1/')
  await client.call('GET', '/v1/accounts')
  await client.call('PUT', '/v1/accounts/leaver', { data: { password: 'Leaver-Passw0rd-1' } })
  await client.call('DELETE', '/v1/accounts/leaver')
  await client.call('GET', '/v1/buckets')
  await client.call('GET', '/v1/__heartbeat__')
}
