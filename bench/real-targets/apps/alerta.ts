import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../../scripts/postgres.ts'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { ask } from '../api.ts'
import { pythonPackages } from '../install.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { runningOn } from '../running-on.ts'
import type { Person, Place, Running, Target, Visit } from '../target.ts'

const VERSION = '9.1.0'
const ADMIN = 'admin@alerta.test'
const USERS = {
  owner: { email: 'olga@north.test', name: 'Olga North', customer: 'North Ltd' },
  attacker: { email: 'otto@south.test', name: 'Otto South', customer: 'South Ltd' },
} as const

/**
 * Alerta, which collects alerts of monitoring systems for several customers: users see alerts, blackouts and heartbeats of
 * their own customer, and their own API keys.
 */
export const alerta: Target = {
  name: 'alerta',
  sound: true,
  make: 'Python, Flask, REST',
  source: `pypi alerta-server==${VERSION}`,
  start,
  prepare,
  routes: () => Promise.resolve(ROUTES),
  // Times of a last sign-in and use, counters of requests, and the log of what was done with an alert.
  volatile: [
    'users.last_login',
    'users.update_time',
    'keys.count',
    'keys.last_used_time',
    'metrics',
    'alerts.history',
  ],
  weaknesses: [],
  judged: [
    ...['BOLA_READ', 'BOLA_DELETE'].map((test) => ({
      test,
      at: '*',
      verdict: 'true' as const,
      why: 'blackouts.py and heartbeats.py look for `g.customer`, which nothing sets (it is `g.customers`), so that objects of all customers are found.',
    })),
    {
      test: 'BFLA_ADMIN_READ',
      at: 'GET /management/status',
      verdict: 'false',
      why: 'It wants the scope read:management, which is part of `read`, the default scope of users.',
    },
    {
      test: 'BOLA_CREATE',
      at: '*',
      verdict: 'false',
      why: 'The name of a machine is free text, and what the attacker makes belongs to its own customer.',
    },
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'No x-content-type-options in the answers.',
    },
    {
      test: 'VERSION_DISCLOSURE_SERVER',
      at: '*',
      verdict: 'true',
      why: 'The header Server names Werkzeug and Python with their versions.',
    },
  ],
}

const SECRET = 'a-secret-that-nobody-guesses-0123456789abcdef'

async function start({ programs, data, port }: Place): Promise<Running> {
  const bin = pythonPackages(programs, `alerta-${VERSION}`, [
    `alerta-server[postgres]==${VERSION}`,
    'setuptools<81',
  ])
  const postgres = await startPostgres(data)
  if (postgres === null) throw new Error('alerta needs the programs of a PostgreSQL server')
  const settings = join(data, 'alertad.conf')
  writeFileSync(
    settings,
    [
      `DATABASE_URL = '${postgres.url}'`,
      `SECRET_KEY = '${SECRET}'`,
      'AUTH_REQUIRED = True',
      'CUSTOMER_VIEWS = True',
      `ADMIN_USERS = ['${ADMIN}']`,
      "ALLOWED_ENVIRONMENTS = ['Production', 'Development']",
    ].join('\n'),
  )
  const origin = `http://127.0.0.1:${port}`
  const started = await startProgram({
    command: join(bin, 'alertad'),
    args: ['run', '--host', '127.0.0.1', '--port', String(port)],
    folder: data,
    env: { ALERTA_SVR_CONF_FILE: settings },
    log: join(data, 'log'),
    ready: `${origin}/config`,
  })
  return runningOn(postgres, origin, started)
}

function passwordOf(email: string): string {
  return `${email.split('@')[0]}-Passw0rd-1`
}

async function prepare(origin: string): Promise<Visit> {
  const signUp = (email: string, name: string): Promise<{ token: string }> =>
    ask('POST', `${origin}/auth/signup`, {}, { email, name, password: passwordOf(email), text: '' })
  const { token } = await signUp(ADMIN, 'Ada Min')
  const headers = { authorization: `Bearer ${token}` }
  for (const { email, name, customer } of Object.values(USERS)) {
    await ask('POST', `${origin}/customer`, headers, { customer, match: email.split('@')[1] })
    await signUp(email, name)
  }
  return visit
}

const visit: Visit = async (client, person) => {
  await client.call('GET', '/config')
  const email = person === 'administrator' ? ADMIN : USERS[person].email
  const { token } = jsonOf<{ token: string }>(
    await client.call('POST', '/auth/login', { username: email, password: passwordOf(email) }),
  )
  client.headers = { authorization: `Bearer ${token}` }
  await client.call('GET', '/userinfo')
  if (person === 'administrator') await manage(client)
  else await watch(client, person)
}

async function watch(client: RecordingClient, person: Exclude<Person, 'administrator'>): Promise<void> {
  const name = USERS[person].name.split(' ')[0]!.toLowerCase()
  await client.call('GET', '/user/me')
  await client.call('PUT', '/user/me/attributes', { attributes: { prefs: { darkMode: true } } })
  await client.call('GET', '/user/me/attributes')
  for (const part of ['web', 'db', 'mail']) await raise(client, name, part)
  for (const list of [
    '/alerts',
    '/alerts/count',
    '/alerts/history',
    '/environments',
    '/services',
    '/alerts/tags',
  ])
    await client.call('GET', list)
  await client.call('GET', '/alerts?status=open&environment=Production&page=1&page-size=20')
  await silence(client, name)
  const { id } = jsonOf<{ id: string }>(
    await client.call('POST', '/heartbeat', { origin: `cluster/${name}`, tags: [name], timeout: 120 }),
  )
  await client.call('GET', `/heartbeat/${id}`)
  await client.call('GET', '/heartbeats')
  await makeKeys(client, `Script of ${name}`)
}

async function raise(client: RecordingClient, name: string, part: string): Promise<void> {
  const { id } = jsonOf<{ id: string }>(
    await client.call('POST', '/alert', {
      resource: `${name}-${part}`,
      event: `${part}Down`,
      environment: 'Production',
      severity: 'major',
      service: [`${name} shop`],
      text: `The ${part} of ${name} does not answer`,
      tags: [part],
    }),
  )
  await client.call('GET', `/alert/${id}`)
  await client.call('PUT', `/alert/${id}/status`, { status: 'ack', text: `${name} looks at it` })
  await client.call('PUT', `/alert/${id}/tag`, { tags: [`seen-by-${name}`] })
  await client.call('PUT', `/alert/${id}/attributes`, { attributes: { ticket: `${name}-${part}-1` } })
  const note = jsonOf<{ id: string }>(
    await client.call('PUT', `/alert/${id}/note`, { text: `Restarted by ${name}` }),
  )
  await client.call('GET', `/alert/${id}/notes`)
  await client.call('PUT', `/alert/${id}/note/${note.id}`, { text: `Restarted twice by ${name}` })
  if (part !== 'mail') return
  await client.call('DELETE', `/alert/${id}/note/${note.id}`)
  await client.call('DELETE', `/alert/${id}`)
}

async function silence(client: RecordingClient, name: string): Promise<void> {
  for (const resource of ['backup', 'staging']) {
    const { id } = jsonOf<{ id: string }>(
      await client.call('POST', '/blackout', {
        environment: 'Development',
        resource: `${name}-${resource}`,
        duration: 3600,
        text: `${name} works on it`,
      }),
    )
    await client.call('GET', `/blackout/${id}`)
    await client.call('PUT', `/blackout/${id}`, { text: `${name} still works on it` })
    if (resource === 'staging') await client.call('DELETE', `/blackout/${id}`)
  }
  await client.call('GET', '/blackouts')
}

async function makeKeys(client: RecordingClient, text: string): Promise<void> {
  for (const part of ['one', 'two']) {
    const { data } = jsonOf<{ data: { id: string } }>(
      await client.call('POST', '/key', { scopes: ['read:alerts'], text: `${text} ${part}` }),
    )
    await client.call('GET', `/key/${data.id}`)
    await client.call('PUT', `/key/${data.id}`, { text: `${text} ${part}, old` })
    if (part === 'two') await client.call('DELETE', `/key/${data.id}`)
  }
  await client.call('GET', '/keys')
}

async function manage(client: RecordingClient): Promise<void> {
  const { users } = jsonOf<{ users: { id: string }[] }>(await client.call('GET', '/users'))
  for (const { id } of users) await client.call('GET', `/user/${id}`)
  const made = jsonOf<{ id: string }>(
    await client.call('POST', '/user', {
      name: 'Nora New',
      email: 'nora@north.test',
      password: 'nora-Passw0rd-1',
      roles: ['user'],
      text: 'for a while',
    }),
  )
  await client.call('PUT', `/user/${made.id}`, { text: 'for longer' })
  const group = jsonOf<{ id: string }>(
    await client.call('POST', '/group', { name: 'on call', text: 'at night' }),
  )
  await client.call('PUT', `/group/${group.id}/user/${made.id}`)
  await client.call('GET', `/group/${group.id}/users`)
  await client.call('GET', '/groups')
  await client.call('DELETE', `/group/${group.id}/user/${made.id}`)
  await client.call('DELETE', `/group/${group.id}`)
  await client.call('DELETE', `/user/${made.id}`)
  const perm = jsonOf<{ id: string }>(
    await client.call('POST', '/perm', { match: 'operators', scopes: ['read'] }),
  )
  await client.call('GET', '/perms')
  await client.call('PUT', `/perm/${perm.id}`, { scopes: ['read', 'write:alerts'] })
  await client.call('DELETE', `/perm/${perm.id}`)
  const customer = jsonOf<{ id: string }>(
    await client.call('POST', '/customer', { customer: 'East Ltd', match: 'east.test' }),
  )
  await client.call('GET', '/customers')
  await client.call('DELETE', `/customer/${customer.id}`)
  await client.call('GET', '/alerts')
  await client.call('GET', '/keys')
  await client.call('GET', '/management/status')
}

/** The routes of its views and of its sign-in. */
const ROUTES = [
  'POST /auth/login',
  'POST /auth/signup',
  'POST /auth/logout',
  'POST /auth/forgot',
  'POST /auth/confirm/{hash}',
  'POST /auth/reset/{hash}',
  'GET /userinfo',
  'GET /config',
  'POST /alert',
  ...['GET', 'DELETE'].map((method) => `${method} /alert/{id}`),
  ...['status', 'action', 'tag', 'untag', 'attributes', 'note'].map((part) => `PUT /alert/{id}/${part}`),
  'GET /alert/{id}/notes',
  ...['PUT', 'DELETE'].map((method) => `${method} /alert/{id}/note/{note}`),
  ...['', '/history', '/count', '/groups', '/tags'].map((part) => `GET /alerts${part}`),
  ...['count', 'flapping', 'standing'].flatMap((part) => [
    `GET /alerts/top10/${part}`,
    `GET /alerts/topn/${part}`,
  ]),
  ...['environments', 'services', 'users', 'scopes', 'keys', 'perms', 'groups', 'customers', 'blackouts'].map(
    (list) => `GET /${list}`,
  ),
  'GET /heartbeats',
  ...['key', 'user', 'blackout', 'customer', 'heartbeat', 'group', 'perm'].flatMap((thing) => [
    `POST /${thing}`,
    `GET /${thing}/{id}`,
    `DELETE /${thing}/{id}`,
    ...(thing === 'heartbeat' ? [] : [`PUT /${thing}/{id}`]),
  ]),
  'GET /user/{id}/groups',
  'PUT /user/{id}/attributes',
  ...['GET', 'PUT'].flatMap((method) => [`${method} /user/me`, `${method} /user/me/attributes`]),
  'GET /group/{id}/users',
  ...['PUT', 'DELETE'].map((method) => `${method} /group/{id}/user/{user}`),
  'GET /oembed',
  ...['manifest', 'properties', 'switches', 'healthcheck', 'gtg', 'status'].map(
    (part) => `GET /management/${part}`,
  ),
]
