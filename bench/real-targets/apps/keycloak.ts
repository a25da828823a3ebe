import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../../scripts/postgres.ts'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { mavenArchive } from '../install.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { runningOn } from '../running-on.ts'
import type { Place, Running, Target, Visit } from '../target.ts'
import { keycloakUi } from './keycloak-ui.ts'

const VERSION = '26.4.0'
const ADMIN = { username: 'admin', password: 'Admin-Passw0rd-1' }
const HOURS = 7200

/** Keycloak with one realm: two users keep their accounts in it, and an administrator of the server manages it. */
export const keycloak: Target = {
  name: 'keycloak',
  sound: true,
  make: 'Java, Quarkus, REST, single page',
  source: `maven org.keycloak:keycloak-quarkus-dist:${VERSION}`,
  start,
  prepare,
  // Of its documents on the admin and account interfaces, for what is used here.
  routes: () => Promise.resolve(ROUTES),
  // Sessions, and events of signing in.
  volatile: ['offline_user_session', 'offline_client_session', 'event_entity', 'jgroups_ping'],
  crawl: { start: '/admin/master/console/', ...ADMIN, ui: keycloakUi },
  weaknesses: [],
  judged: [
    {
      test: 'CORS_PREFLIGHT_ANY_ORIGIN',
      at: '*',
      verdict: 'true',
      why: 'The preflight allows every origin, with credentials.',
    },
    {
      test: 'CORS_*',
      at: 'GET /realms/*',
      verdict: 'debatable',
      why: 'Every origin is allowed, with credentials, on documents that are for everybody.',
    },
  ],
}

const ROUTES = [
  'POST /realms/shop/protocol/openid-connect/token',
  'GET /realms/shop/protocol/openid-connect/userinfo',
  'GET /realms/shop/protocol/openid-connect/certs',
  'POST /realms/shop/protocol/openid-connect/logout',
  'GET /realms/shop/.well-known/openid-configuration',
  'GET /realms/shop/account',
  'POST /realms/shop/account',
  'GET /realms/shop/account/sessions',
  'GET /realms/shop/account/sessions/devices',
  'DELETE /realms/shop/account/sessions/{id}',
  'GET /realms/shop/account/credentials',
  'GET /realms/shop/account/applications',
  'GET /realms/shop/account/linked-accounts',
  'GET /realms/shop/account/groups',
  'GET /admin/realms/shop',
  'PUT /admin/realms/shop',
  ...['users', 'clients', 'groups'].flatMap((name) => [
    `GET /admin/realms/shop/${name}`,
    `POST /admin/realms/shop/${name}`,
    ...['GET', 'PUT', 'DELETE'].map((method) => `${method} /admin/realms/shop/${name}/{id}`),
  ]),
  'GET /admin/realms/shop/users/count',
  'PUT /admin/realms/shop/users/{id}/reset-password',
  'GET /admin/realms/shop/users/{id}/sessions',
  'GET /admin/realms/shop/roles',
  'POST /admin/realms/shop/roles',
  ...['GET', 'PUT', 'DELETE'].map((method) => `${method} /admin/realms/shop/roles/{name}`),
]

async function start({ programs, data, port }: Place): Promise<Running> {
  const archive = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`
  const original = join(mavenArchive(programs, `keycloak-${VERSION}`, archive), `keycloak-${VERSION}`)
  // It builds itself below its folder when it starts.
  const folder = join(data, 'keycloak')
  cpSync(original, folder, { recursive: true })
  const postgres = await startPostgres(data)
  if (postgres === null) throw new Error('keycloak needs the programs of a PostgreSQL server')
  const origin = `http://127.0.0.1:${port}`
  const { hostname, port: databasePort, username, password, pathname } = new URL(postgres.url)
  const started = await startProgram({
    command: 'bash',
    args: [join(folder, 'bin/kc.sh'), 'start-dev', '--http-host=127.0.0.1', `--http-port=${port}`],
    folder: data,
    env: {
      // Java does not ask TMPDIR for its folder of temporary files.
      JAVA_OPTS_APPEND: `-Djava.io.tmpdir=${data}`,
      KC_DB: 'postgres',
      KC_DB_URL: `jdbc:postgresql://${hostname}:${databasePort}${pathname}`,
      KC_DB_USERNAME: username,
      KC_DB_PASSWORD: password,
      KC_CACHE: 'local',
      KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    },
    log: join(data, 'log'),
    ready: `${origin}/realms/master`,
  })
  return runningOn(postgres, origin, started)
}

function tokenOf(answer: { readonly text: string; readonly status: number }): Record<string, string> {
  return { authorization: `Bearer ${jsonOf<{ access_token: string }>(answer).access_token}` }
}

/** Signs in as clients of OpenID Connect do, with a form. */
async function signIn(
  origin: string,
  realm: string,
  form: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const answer = await fetch(`${origin}/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', ...form }),
  })
  return tokenOf({ status: answer.status, text: await answer.text() })
}

async function prepare(origin: string): Promise<Visit> {
  const admin = await signIn(origin, 'master', { client_id: 'admin-cli', ...ADMIN })
  const make = async (method: string, path: string, body: unknown): Promise<void> => {
    const answer = await fetch(`${origin}/admin/realms${path}`, {
      method,
      headers: { ...admin, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    jsonOf({ status: answer.status, text: (await answer.text()) || 'null' })
  }
  await make('PUT', '/master', { accessTokenLifespan: HOURS })
  await make('POST', '', {
    realm: 'shop',
    enabled: true,
    accessTokenLifespan: HOURS,
    bruteForceProtected: true,
    clients: [{ clientId: 'shop', publicClient: true, directAccessGrantsEnabled: true }],
    users: ['olga', 'otto'].map((username) => ({
      username,
      enabled: true,
      email: `${username}@shop.example.com`,
      emailVerified: true,
      firstName: username,
      lastName: 'Buyer',
      realmRoles: ['default-roles-shop'],
      clientRoles: { account: ['manage-account', 'view-profile'] },
      credentials: [{ type: 'password', value: `${username}-Passw0rd-1` }],
    })),
  })
  return (client, person) => {
    if (person === 'administrator') return manage(client)
    return keepAccount(client, person === 'owner' ? 'olga' : 'otto')
  }
}

function signInOf(
  client: RecordingClient,
  realm: string,
  form: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  return client
    .call(
      'POST',
      `/realms/${realm}/protocol/openid-connect/token`,
      new URLSearchParams({ grant_type: 'password', ...form }).toString(),
      'application/x-www-form-urlencoded',
    )
    .then(tokenOf)
}

async function keepAccount(client: RecordingClient, username: string): Promise<void> {
  const password = `${username}-Passw0rd-1`
  await client.call('GET', '/realms/shop/.well-known/openid-configuration')
  const form = { client_id: 'shop', username, password, scope: 'openid profile email' }
  client.headers = await signInOf(client, 'shop', form)
  await client.call('GET', '/realms/shop/protocol/openid-connect/userinfo')
  await client.call('GET', '/realms/shop/protocol/openid-connect/certs')
  const account = '/realms/shop/account'
  const profile = jsonOf<Record<string, unknown>>(await client.call('GET', `${account}/`))
  await client.call('POST', `${account}/`, { ...profile, lastName: `Buyer of ${username}` })
  for (const part of [
    'sessions',
    'sessions/devices',
    'credentials',
    'applications',
    'linked-accounts',
    'groups',
  ])
    await client.call('GET', `${account}/${part}`)
}

async function manage(client: RecordingClient): Promise<void> {
  client.headers = await signInOf(client, 'master', { client_id: 'admin-cli', ...ADMIN })
  const realm = '/admin/realms/shop'
  await client.call('GET', realm)
  const users = jsonOf<{ id: string }[]>(await client.call('GET', `${realm}/users?max=20`))
  await client.call('GET', `${realm}/users/count`)
  for (const { id } of users) {
    await client.call('GET', `${realm}/users/${id}`)
    await client.call('GET', `${realm}/users/${id}/sessions`)
  }
  const made = await client.call('POST', `${realm}/users`, { username: 'leaver', enabled: true })
  const leaver = made.headers.get('location')?.split('/').at(-1) ?? ''
  await client.call('PUT', `${realm}/users/${leaver}`, { firstName: 'Lea', lastName: 'Ver' })
  await client.call('PUT', `${realm}/users/${leaver}/reset-password`, {
    type: 'password',
    value: 'Leaver-Passw0rd-1',
    temporary: false,
  })
  await client.call('DELETE', `${realm}/users/${leaver}`)
  await client.call('GET', `${realm}/clients?first=0&max=20`)
  await client.call('GET', `${realm}/groups`)
  await client.call('POST', `${realm}/groups`, { name: 'buyers' })
  await client.call('POST', `${realm}/roles`, { name: 'buyer', description: 'Buys' })
  await client.call('GET', `${realm}/roles`)
  await client.call('GET', `${realm}/roles/buyer`)
  await client.call('PUT', `${realm}/roles/buyer`, { name: 'buyer', description: 'Buys things' })
}
