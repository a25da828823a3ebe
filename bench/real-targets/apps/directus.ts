import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { ask } from '../api.ts'
import { NATIVE_NODE, npmPackages } from '../install.ts'
import { operationsOf } from '../operations.ts'
import { runCommand, startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { sqliteDatabase } from '../snapshot.ts'
import type { Place, Running, Target, Visit } from '../target.ts'
import { directusUi } from './directus-ui.ts'

const VERSION = '12.4.0'
const ADMIN = { email: 'admin@notes.example.com', password: 'Admin-Passw0rd-1' }

/** Directus with one collection of invoices that all bookkeepers share: rules on rows need a licence in this version. */
export const directus: Target = {
  name: 'directus',
  sound: true,
  make: 'Node.js, REST and GraphQL, single page',
  source: `npm directus@${VERSION}`,
  start,
  prepare,
  routes: async (origin) => {
    const { access_token: token } = await tokensOf(origin)
    return operationsOf(await ask('GET', `${origin}/server/specs/oas`, { authorization: `Bearer ${token}` }))
  },
  // Records of what was done, and of who was there when.
  volatile: [
    'directus_activity',
    'directus_revisions',
    'directus_sessions',
    'directus_users.last_access',
    'directus_users.last_page',
  ],
  crawl: { start: '/admin/', username: ADMIN.email, password: ADMIN.password, ui: directusUi },
  weaknesses: [],
  judged: [
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'No x-content-type-options in the answers.',
    },
    {
      test: 'GRAPHQL_*',
      at: 'POST /graphql/*',
      verdict: 'true',
      why: 'The schema, queries in the address and many aliases are open by default.',
    },
    { test: 'UNBOUNDED_TEXT_LENGTH', at: '*', verdict: 'true', why: 'Kept at any length.' },
    {
      test: 'MASS_ASSIGNMENT_ROLE',
      at: 'PATCH /presets/*',
      verdict: 'false',
      why: 'The role that a saved view is for; it gives nobody rights.',
    },
    {
      test: 'BOLA_*',
      at: '* /items/invoices/{}',
      verdict: 'false',
      why: 'Shared by the permissions of the role; the list that the attacker was recorded reading holds it.',
    },
    {
      test: 'MASS_ASSIGNMENT_STATUS',
      at: '* /items/invoices*',
      verdict: 'false',
      why: "The client's own field.",
    },
    {
      test: 'PRICE_MANIPULATION',
      at: 'POST /items/invoices',
      verdict: 'false',
      why: 'Who writes an invoice names its amount.',
    },
    {
      test: 'USER_ENUMERATION_LOGIN',
      at: 'POST /auth/login',
      verdict: 'false',
      why: 'The unknown address ends in .example, which the check of addresses refuses; a valid one gets the same 401.',
    },
    {
      test: 'LOGIN_BRUTE_FORCE',
      at: 'POST /auth/login',
      verdict: 'false',
      why: 'It suspends accounts after 25 attempts; 13 were sent.',
    },
  ],
}

async function start({ programs, data, port }: Place): Promise<Running> {
  const folder = npmPackages(programs, `directus-${VERSION}`, [`directus@${VERSION}`, 'sqlite3'])
  const file = join(data, 'directus.db')
  const origin = `http://127.0.0.1:${port}`
  const program = {
    command: NATIVE_NODE,
    folder: data,
    log: join(data, 'log'),
    env: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: origin,
      KEY: 'real-targets',
      SECRET: 'real-targets-secret-of-32-letters',
      DB_CLIENT: 'sqlite3',
      DB_FILENAME: file,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      TELEMETRY: 'false',
      // It refuses requests while the machine is busy with the tests.
      PRESSURE_LIMITER_ENABLED: 'false',
      ACCESS_TOKEN_TTL: '2h',
    },
  }
  const main = join(folder, 'node_modules/directus/cli.js')
  await runCommand({ ...program, args: [main, 'bootstrap'] })
  const { stop } = await startProgram({
    ...program,
    args: [main, 'start'],
    ready: `${origin}/server/health`,
  })
  return { origin, database: sqliteDatabase(file), stop }
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

async function tokensOf(origin: string): Promise<Tokens> {
  return (await ask<{ data: Tokens }>('POST', `${origin}/auth/login`, {}, ADMIN)).data
}

async function prepare(origin: string): Promise<Visit> {
  const { access_token: token } = await tokensOf(origin)
  const admin = { authorization: `Bearer ${token}` }
  const made = async (path: string, body: unknown) =>
    (await ask<{ data: { id: string } }>('POST', origin + path, admin, body)).data
  await made('/collections', {
    collection: 'invoices',
    schema: {},
    meta: {},
    fields: [
      { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true }, meta: {} },
      { field: 'customer', type: 'string', schema: {}, meta: {} },
      { field: 'amount', type: 'float', schema: {}, meta: {} },
      { field: 'status', type: 'string', schema: {}, meta: {} },
      {
        field: 'user_created',
        type: 'uuid',
        schema: {},
        meta: { special: ['user-created'], interface: 'select-dropdown-m2o' },
      },
    ],
  })
  const policy = await made('/policies', { name: 'Bookkeepers', app_access: true })
  for (const action of ['create', 'read', 'update', 'delete'])
    await made('/permissions', {
      policy: policy.id,
      collection: 'invoices',
      action,
      fields: ['*'],
    })
  const role = await made('/roles', { name: 'Bookkeeper' })
  await ask('POST', `${origin}/access`, admin, { role: role.id, policy: policy.id }).catch(() =>
    ask('PATCH', `${origin}/roles/${role.id}`, admin, { policies: { create: [{ policy: policy.id }] } }),
  )
  for (const name of ['olga', 'otto'])
    await made('/users', {
      email: `${name}@notes.example.com`,
      password: `${name}-Passw0rd-1`,
      first_name: name,
      role: role.id,
    })
  return (client, person) => {
    if (person === 'administrator') return manage(client)
    return keepBooks(client, person === 'owner' ? 'olga' : 'otto')
  }
}

async function signIn(client: RecordingClient, email: string, password: string): Promise<Tokens> {
  const { data } = jsonOf<{ data: Tokens }>(await client.call('POST', '/auth/login', { email, password }))
  client.headers = { authorization: `Bearer ${data.access_token}` }
  return data
}

async function look(client: RecordingClient): Promise<void> {
  await client.call('GET', '/server/info')
  await client.call('GET', '/server/ping')
  await client.call('GET', '/users/me?fields=*,role.id')
  await client.call('GET', '/permissions/me')
  await client.call('GET', '/roles/me')
  await client.call('GET', '/policies/me/globals')
  await client.call('GET', '/settings')
  await client.call('GET', '/collections')
  await client.call('GET', '/fields')
  await client.call('GET', '/fields/invoices')
  await client.call('GET', '/relations')
  await client.call('GET', '/presets?limit=-1')
  await client.call('GET', '/notifications?limit=10')
  await client.call('GET', '/translations?limit=-1')
}

async function keepBooks(client: RecordingClient, name: string): Promise<void> {
  await signIn(client, `${name}@notes.example.com`, `${name}-Passw0rd-1`)
  await look(client)
  const bill = { customer: `Customer of ${name}`, amount: 120.5, status: 'draft' }
  const invoice = jsonOf<{ data: { id: number } }>(await client.call('POST', '/items/invoices', bill)).data.id
  const second = jsonOf<{ data: { id: number } }>(
    await client.call('POST', '/items/invoices', { ...bill, amount: 80, status: 'published' }),
  ).data.id
  await client.call('GET', '/items/invoices?limit=25&sort=id')
  await client.call('GET', `/items/invoices/${invoice}`)
  await client.call('GET', `/items/invoices/${second}`)
  await client.call('PATCH', `/items/invoices/${invoice}`, { status: 'published' })
  await client.call('DELETE', `/items/invoices/${second}`)
  const preset = jsonOf<{ data: { id: number; user: string } }>(
    await client.call('POST', '/presets', {
      collection: 'invoices',
      layout: 'tabular',
      user: jsonOf<{ data: { id: string } }>(await client.call('GET', '/users/me')).data.id,
    }),
  ).data
  await client.call('GET', `/presets/${preset.id}`)
  await client.call('PATCH', `/presets/${preset.id}`, { layout: 'cards' })
  await client.call('GET', `/users/${preset.user}`)
  await client.call('POST', '/graphql', {
    query: 'query { invoices(limit: 5) { id customer amount status } }',
  })
}

async function manage(client: RecordingClient): Promise<void> {
  const tokens = await signIn(client, ADMIN.email, ADMIN.password)
  await look(client)
  await client.call('GET', '/users?limit=25')
  const { data: roles } = jsonOf<{ data: { id: string }[] }>(await client.call('GET', '/roles?limit=25'))
  await client.call('GET', `/roles/${roles[0]!.id}`)
  await client.call('GET', '/policies?limit=25')
  await client.call('GET', '/permissions?limit=25')
  await client.call('GET', '/activity?limit=10')
  await client.call('GET', '/revisions?limit=10')
  await client.call('GET', '/dashboards')
  const dashboard = jsonOf<{ data: { id: string } }>(
    await client.call('POST', '/dashboards', { name: 'Turnover', icon: 'dashboard' }),
  ).data.id
  await client.call('GET', `/dashboards/${dashboard}`)
  await client.call('PATCH', `/dashboards/${dashboard}`, { note: 'Monthly' })
  const folder = jsonOf<{ data: { id: string } }>(await client.call('POST', '/folders', { name: 'Receipts' }))
  await client.call('GET', '/folders')
  await client.call('DELETE', `/folders/${folder.data.id}`)
  await client.call('GET', '/files?limit=25')
  await client.call('GET', '/flows')
  await client.call('PATCH', '/settings', { project_descriptor: 'Books' })
  const role = jsonOf<{ data: { id: string } }>(await client.call('POST', '/roles', { name: 'Auditor' }))
  await client.call('PATCH', `/roles/${role.data.id}`, { description: 'Reads' })
  await client.call('GET', '/server/health')
  await client.call('GET', '/items/invoices?limit=25')
  await client.call('POST', '/auth/refresh', { refresh_token: tokens.refresh_token, mode: 'json' })
  await signIn(client, ADMIN.email, ADMIN.password)
}
