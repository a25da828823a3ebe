import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { ask } from '../api.ts'
import { goProgram } from '../install.ts'
import { runCommand, startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { sqliteDatabase } from '../snapshot.ts'
import type { Place, Running, Target, Visit } from '../target.ts'
import { pocketbaseUi } from './pocketbase-ui.ts'

const VERSION = 'v0.30.4'
const ADMIN = { identity: 'admin@tasks.example.com', password: 'Admin-Passw0rd-1' }

/** PocketBase with one collection of tasks, each its owner's, by the rules of its own guide. */
export const pocketbase: Target = {
  name: 'pocketbase',
  sound: true,
  make: 'Go, REST, single page',
  source: `go github.com/pocketbase/pocketbase/examples/base@${VERSION}`,
  start,
  prepare,
  // Of its API reference, for the collections that are used here.
  routes: () => Promise.resolve(ROUTES),
  crawl: { start: '/_/', username: ADMIN.identity, password: ADMIN.password, ui: pocketbaseUi },
  // A change shows in another column than that of its time.
  volatile: ['_authOrigins', 'users.updated', '_params.updated'],
  weaknesses: [],
  judged: [],
}

const ROUTES = [
  ...['tasks', 'users'].flatMap((name) => [
    `GET /api/collections/${name}/records`,
    `POST /api/collections/${name}/records`,
    ...['GET', 'PATCH', 'DELETE'].map((method) => `${method} /api/collections/${name}/records/{id}`),
  ]),
  'POST /api/collections/users/auth-with-password',
  'POST /api/collections/users/auth-refresh',
  'GET /api/collections/users/auth-methods',
  'POST /api/collections/users/request-password-reset',
  'POST /api/collections/users/request-verification',
  'POST /api/collections/users/request-email-change',
  'POST /api/collections/_superusers/auth-with-password',
  'GET /api/collections',
  'POST /api/collections',
  ...['GET', 'PATCH', 'DELETE'].map((method) => `${method} /api/collections/{name}`),
  'GET /api/settings',
  'PATCH /api/settings',
  'GET /api/logs',
  'GET /api/logs/stats',
  'GET /api/crons',
  'GET /api/backups',
  'POST /api/backups',
  'GET /api/health',
  'POST /api/batch',
]

async function start({ programs, data, port }: Place): Promise<Running> {
  const command = goProgram(
    programs,
    `pocketbase-${VERSION}`,
    `github.com/pocketbase/pocketbase/examples/base@${VERSION}`,
  )
  const origin = `http://127.0.0.1:${port}`
  const program = { command, folder: data, log: join(data, 'log') }
  const folder = `--dir=${join(data, 'pb')}`
  await runCommand({ ...program, args: ['superuser', 'upsert', ADMIN.identity, ADMIN.password, folder] })
  const { stop } = await startProgram({
    ...program,
    args: ['serve', `--http=127.0.0.1:${port}`, folder],
    ready: `${origin}/api/health`,
  })
  return { origin, database: sqliteDatabase(join(data, 'pb/data.db')), stop }
}

async function prepare(origin: string): Promise<Visit> {
  const { token } = await ask<{ token: string }>(
    'POST',
    `${origin}/api/collections/_superusers/auth-with-password`,
    {},
    ADMIN,
  )
  const admin = { authorization: token }
  const users = await ask<{ id: string }>('GET', `${origin}/api/collections/users`, admin)
  const own = '@request.auth.id != "" && owner = @request.auth.id'
  await ask('POST', `${origin}/api/collections`, admin, {
    name: 'tasks',
    type: 'base',
    listRule: own,
    viewRule: own,
    createRule: '@request.auth.id != "" && @request.body.owner = @request.auth.id',
    updateRule: own,
    deleteRule: own,
    fields: [
      { name: 'title', type: 'text', required: true, max: 200 },
      { name: 'done', type: 'bool' },
      { name: 'owner', type: 'relation', collectionId: users.id, maxSelect: 1, required: true },
    ],
  })
  return (client, person) => {
    if (person === 'administrator') return manage(client)
    return plan(client, person === 'owner' ? 'olga' : 'otto')
  }
}

async function plan(client: RecordingClient, name: string): Promise<void> {
  const password = `${name}-Passw0rd-1`
  const email = `${name}@tasks.example.com`
  const { id } = jsonOf<{ id: string }>(
    await client.call('POST', '/api/collections/users/records', {
      email,
      password,
      passwordConfirm: password,
      name,
    }),
  )
  await client.call('GET', '/api/collections/users/auth-methods')
  const { token } = jsonOf<{ token: string }>(
    await client.call('POST', '/api/collections/users/auth-with-password', { identity: email, password }),
  )
  client.headers = { authorization: token }
  await client.call('POST', '/api/collections/users/auth-refresh')
  await client.call('GET', `/api/collections/users/records/${id}`)
  await client.call('PATCH', `/api/collections/users/records/${id}`, { name: `${name} the planner` })
  const tasks = '/api/collections/tasks/records'
  for (const title of ['Buy milk', 'Paint the door', 'Call the bank']) {
    const task = jsonOf<{ id: string }>(
      await client.call('POST', tasks, { title, done: false, owner: id }),
    ).id
    await client.call('GET', `${tasks}/${task}`)
    await client.call('PATCH', `${tasks}/${task}`, { done: true })
    if (title === 'Call the bank') await client.call('DELETE', `${tasks}/${task}`)
  }
  await client.call('GET', `${tasks}?page=1&perPage=30&sort=-title`)
  await client.call('GET', '/api/health')
}

async function manage(client: RecordingClient): Promise<void> {
  const { token } = jsonOf<{ token: string }>(
    await client.call('POST', '/api/collections/_superusers/auth-with-password', ADMIN),
  )
  client.headers = { authorization: token }
  await client.call('GET', '/api/collections?perPage=50')
  await client.call('GET', '/api/collections/tasks')
  await client.call('GET', '/api/settings')
  await client.call('PATCH', '/api/settings', { meta: { appName: 'Tasks' } })
  await client.call('GET', '/api/collections/users/records?perPage=30')
  await client.call('GET', '/api/collections/tasks/records?perPage=30')
  await client.call('GET', '/api/logs?perPage=10')
  await client.call('GET', '/api/logs/stats')
  await client.call('GET', '/api/crons')
  await client.call('GET', '/api/backups')
}
