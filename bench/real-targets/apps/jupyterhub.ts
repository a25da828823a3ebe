import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { ask } from '../api.ts'
import { pythonPackages } from '../install.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { sqliteDatabase } from '../snapshot.ts'
import type { Person, Place, Running, Target, Visit } from '../target.ts'

const VERSION = '6.1.1'
const SETUP_TOKEN = 'made-for-the-first-accounts-0123456789abcdef'
const NAMES: Readonly<Record<Person, string>> = { owner: 'olga', attacker: 'otto', administrator: 'adele' }

/**
 * JupyterHub's interface for programs: users have API tokens, administrators manage users and groups. It runs without
 * notebooks, and without the proxy in front of them.
 */
export const jupyterhub: Target = {
  name: 'jupyterhub',
  sound: true,
  make: 'Python, Tornado, REST',
  source: `PyPI jupyterhub==${VERSION}`,
  start,
  prepare,
  routes: () => Promise.resolve(ROUTES),
  // Times of a last use.
  volatile: ['users.last_activity', 'api_tokens.last_activity', 'spawners.last_activity'],
  weaknesses: [],
  judged: [
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'No x-content-type-options in the answers, and nothing in its sources sets it.',
    },
    {
      test: 'VERSION_DISCLOSURE_SERVER',
      at: '*',
      verdict: 'true',
      why: 'The headers Server and X-JupyterHub-Version name both with their versions.',
    },
    {
      test: 'UNBOUNDED_TEXT_LENGTH',
      at: 'POST /hub/api/users/{}/tokens',
      verdict: 'true',
      why: 'The note of a token is kept at any length: SQLite does not enforce that of its column.',
    },
    {
      test: 'MISSING_AUTHENTICATION_OUTLIER',
      at: 'GET /hub/api',
      verdict: 'false',
      why: 'RootAPIHandler tells the version to everybody on purpose.',
    },
    {
      test: 'EXPOSED_METRICS',
      at: '*',
      verdict: 'false',
      why: 'authenticate_prometheus is on: only who has the scope read:metrics gets them.',
    },
  ],
}

/** Of its `apihandlers`, without those of notebook servers, of OAuth and of the proxy. */
const ROUTES = [
  'GET /hub/api/',
  'GET /hub/api/info',
  'GET /hub/api/user',
  ...['GET', 'POST'].map((method) => `${method} /hub/api/users`),
  ...['GET', 'POST', 'PATCH', 'DELETE'].map((method) => `${method} /hub/api/users/{name}`),
  'POST /hub/api/users/{name}/activity',
  ...['GET', 'POST'].map((method) => `${method} /hub/api/users/{name}/tokens`),
  ...['GET', 'DELETE'].map((method) => `${method} /hub/api/users/{name}/tokens/{token}`),
  'GET /hub/api/users/{name}/shared',
  ...['GET', 'POST'].map((method) => `${method} /hub/api/groups`),
  ...['GET', 'POST', 'DELETE'].map((method) => `${method} /hub/api/groups/{name}`),
  ...['POST', 'DELETE'].map((method) => `${method} /hub/api/groups/{name}/users`),
  'PUT /hub/api/groups/{name}/properties',
  'GET /hub/api/services',
  'GET /hub/api/services/{name}',
  'POST /hub/api/shutdown',
]

/** Routes are remembered, and nothing is sent to them. */
const SETTINGS = `
from jupyterhub.proxy import Proxy

ROUTES = {}

class NoProxy(Proxy):
    should_start = False

    async def add_route(self, routespec, target, data):
        ROUTES[routespec] = {'routespec': routespec, 'target': target, 'data': data}

    async def delete_route(self, routespec):
        ROUTES.pop(routespec, None)

    async def get_all_routes(self):
        return dict(ROUTES)

c = get_config()
c.JupyterHub.proxy_class = NoProxy
c.JupyterHub.authenticator_class = 'dummy'
c.JupyterHub.spawner_class = 'simple'
c.JupyterHub.hub_ip = '127.0.0.1'
c.Authenticator.allow_all = True
c.Authenticator.admin_users = {'adele'}
c.JupyterHub.services = [{'name': 'setup', 'api_token': '${SETUP_TOKEN}'}]
c.JupyterHub.load_roles = [
    {'name': 'setup', 'scopes': ['admin:users', 'tokens', 'admin:groups'], 'services': ['setup']},
]
`

async function start({ programs, data, port }: Place): Promise<Running> {
  const bin = pythonPackages(programs, `jupyterhub-${VERSION}`, [`jupyterhub==${VERSION}`])
  const [settings, file] = [join(data, 'jupyterhub_config.py'), join(data, 'jupyterhub.sqlite')]
  writeFileSync(
    settings,
    `${SETTINGS}\nc.JupyterHub.hub_port = ${port}\nc.JupyterHub.db_url = 'sqlite:///${file}'\n`,
  )
  const origin = `http://127.0.0.1:${port}`
  const program = await startProgram({
    command: join(bin, 'python'),
    args: ['-m', 'jupyterhub', '-f', settings],
    folder: data,
    log: join(data, 'log'),
    ready: `${origin}/hub/api/`,
  })
  return { origin, database: sqliteDatabase(file), stop: program.stop }
}

interface Token {
  readonly id: string
  readonly token: string
}

async function prepare(origin: string): Promise<Visit> {
  const api = `${origin}/hub/api`
  const setup = { authorization: `token ${SETUP_TOKEN}` }
  const tokens: Partial<Record<Person, string>> = {}
  for (const person of ['owner', 'attacker', 'administrator'] as const) {
    const name = NAMES[person]
    if (person !== 'administrator') await ask('POST', `${api}/users/${name}`, setup)
    const { token } = await ask<Token>('POST', `${api}/users/${name}/tokens`, setup, { note: 'for scripts' })
    tokens[person] = token
  }
  return async (client, person) => {
    client.headers = { authorization: `token ${tokens[person]}` }
    await useOwnAccount(client, NAMES[person])
    if (person === 'administrator') {
      await manageUsers(client)
      await manageGroups(client)
    }
  }
}

async function useOwnAccount(client: RecordingClient, name: string): Promise<void> {
  await client.call('GET', '/hub/api/')
  await client.call('GET', '/hub/api/user')
  await client.call('GET', `/hub/api/users/${name}`)
  for (const device of ['laptop', 'phone', 'old laptop']) {
    const { id } = jsonOf<Token>(
      await client.call('POST', `/hub/api/users/${name}/tokens`, {
        note: `${device} of ${name}`,
        expires_in: 86_400,
      }),
    )
    await client.call('GET', `/hub/api/users/${name}/tokens/${id}`)
    if (device === 'old laptop') await client.call('DELETE', `/hub/api/users/${name}/tokens/${id}`)
  }
  await client.call('GET', `/hub/api/users/${name}/tokens`)
  await client.call('GET', `/hub/api/users/${name}/shared`)
  const now = new Date().toISOString()
  await client.call('POST', `/hub/api/users/${name}/activity`, { last_activity: now })
}

async function manageUsers(client: RecordingClient): Promise<void> {
  await client.call('GET', '/hub/api/info')
  await client.call('GET', '/hub/api/users?limit=20')
  for (const name of ['olga', 'otto']) await client.call('GET', `/hub/api/users/${name}`)
  await client.call('POST', '/hub/api/users/leaver')
  await client.call('POST', '/hub/api/users', { usernames: ['trainee', 'visitor'], admin: false })
  await client.call('PATCH', '/hub/api/users/trainee', { admin: false })
  for (const name of ['leaver', 'visitor']) await client.call('DELETE', `/hub/api/users/${name}`)
  await client.call('GET', '/hub/api/services')
}

async function manageGroups(client: RecordingClient): Promise<void> {
  await client.call('GET', '/hub/api/groups')
  for (const name of ['physics', 'biology', 'closed']) {
    const group = `/hub/api/groups/${name}`
    await client.call('POST', group)
    await client.call('POST', `${group}/users`, { users: ['olga', 'trainee'] })
    await client.call('PUT', `${group}/properties`, { room: `of ${name}` })
    await client.call('GET', group)
    await client.call('DELETE', `${group}/users`, { users: ['trainee'] })
  }
  await client.call('DELETE', '/hub/api/groups/closed')
}
