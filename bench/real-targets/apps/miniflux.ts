import { join } from 'node:path'
import { startPostgres } from '../../../scripts/postgres.ts'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { ask } from '../api.ts'
import { goProgram } from '../install.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { runningOn } from '../running-on.ts'
import type { Place, Running, Target, Visit } from '../target.ts'

const VERSION = 'v2.3.5'
const ADMIN = { username: 'admin', password: 'Admin-Passw0rd-1' }
const PASSWORDS = { olga: 'olga-Passw0rd-1', otto: 'otto-Passw0rd-1' }

/**
 * Miniflux, a reader of feeds: categories, feeds, entries and keys belong to one user each. Everybody makes an API key
 * and sends it from then on. Feeds are imported, because it must not fetch any.
 */
export const miniflux: Target = {
  name: 'miniflux',
  sound: true,
  make: 'Go, REST, server-rendered',
  source: `go miniflux.app/v2@${VERSION}`,
  start,
  prepare,
  // The routes of its api.go.
  routes: () => Promise.resolve(ROUTES),
  // Times of a last use or check, and sessions.
  volatile: [
    'sessions',
    'web_sessions',
    'users.last_login_at',
    'api_keys.last_used_at',
    'entries.changed_at',
    'feeds.checked_at',
    'feeds.next_check_at',
  ],
  weaknesses: [],
  judged: [
    {
      test: 'UNBOUNDED_TEXT_LENGTH',
      at: '*',
      verdict: 'true',
      why: 'Titles of categories and feeds are kept at any length.',
    },
  ],
}

const ROUTES = [
  ...['GET', 'POST'].map((method) => `${method} /v1/users`),
  ...['GET', 'PUT', 'DELETE'].map((method) => `${method} /v1/users/{id}`),
  'PUT /v1/users/{id}/mark-all-as-read',
  'GET /v1/me',
  ...['GET', 'POST'].map((method) => `${method} /v1/categories`),
  ...['PUT', 'DELETE'].map((method) => `${method} /v1/categories/{id}`),
  'PUT /v1/categories/{id}/mark-all-as-read',
  'GET /v1/categories/{id}/feeds',
  'PUT /v1/categories/{id}/refresh',
  'GET /v1/categories/{id}/entries',
  'GET /v1/categories/{id}/entries/{entry}',
  'POST /v1/discover',
  ...['GET', 'POST'].map((method) => `${method} /v1/feeds`),
  'GET /v1/feeds/counters',
  'PUT /v1/feeds/refresh',
  'PUT /v1/feeds/{id}/refresh',
  ...['GET', 'PUT', 'DELETE'].map((method) => `${method} /v1/feeds/{id}`),
  'GET /v1/feeds/{id}/icon',
  'PUT /v1/feeds/{id}/mark-all-as-read',
  'GET /v1/export',
  'POST /v1/import',
  'GET /v1/feeds/{id}/entries',
  'POST /v1/feeds/{id}/entries/import',
  'GET /v1/feeds/{id}/entries/{entry}',
  'GET /v1/entries/ids',
  ...['GET', 'PUT'].map((method) => `${method} /v1/entries`),
  ...['GET', 'PUT'].map((method) => `${method} /v1/entries/{id}`),
  'PUT /v1/entries/{id}/bookmark',
  'PUT /v1/entries/{id}/star',
  'POST /v1/entries/{id}/save',
  'GET /v1/entries/{id}/fetch-content',
  ...['PUT', 'DELETE'].map((method) => `${method} /v1/flush-history`),
  'GET /v1/icons/{id}',
  ...['GET', 'PUT'].map((method) => `${method} /v1/enclosures/{id}`),
  'GET /v1/integrations/status',
  'GET /v1/version',
  ...['GET', 'POST'].map((method) => `${method} /v1/api-keys`),
  'DELETE /v1/api-keys/{id}',
  'GET /healthcheck',
]

async function start({ programs, data, port }: Place): Promise<Running> {
  const command = goProgram(programs, `miniflux-${VERSION}`, `miniflux.app/v2@${VERSION}`)
  const postgres = await startPostgres(data)
  if (postgres === null) throw new Error('miniflux needs the programs of a PostgreSQL server')
  const origin = `http://127.0.0.1:${port}`
  const started = await startProgram({
    command,
    args: [],
    folder: data,
    env: {
      DATABASE_URL: `${postgres.url}?sslmode=disable`,
      LISTEN_ADDR: `127.0.0.1:${port}`,
      BASE_URL: origin,
      RUN_MIGRATIONS: '1',
      CREATE_ADMIN: '1',
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      DISABLE_SCHEDULER_SERVICE: '1',
    },
    log: join(data, 'log'),
    ready: `${origin}/healthcheck`,
  })
  return runningOn(postgres, origin, started)
}

async function prepare(origin: string): Promise<Visit> {
  for (const [username, password] of Object.entries(PASSWORDS))
    await ask('POST', `${origin}/v1/users`, basic(ADMIN), { username, password, is_admin: false })
  return (client, person) => {
    if (person === 'administrator') return manage(client)
    return read(client, person === 'owner' ? 'olga' : 'otto')
  }
}

function basic({ username, password }: typeof ADMIN): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

async function takeKey(client: RecordingClient, person: typeof ADMIN): Promise<void> {
  client.headers = basic(person)
  const { token } = jsonOf<{ token: string }>(
    await client.call('POST', '/v1/api-keys', { description: `${person.username}'s phone` }),
  )
  client.headers = { 'x-auth-token': token }
}

async function read(client: RecordingClient, name: keyof typeof PASSWORDS): Promise<void> {
  await takeKey(client, { username: name, password: PASSWORDS[name] })
  const me = jsonOf<{ id: number }>(await client.call('GET', '/v1/me'))
  await client.call('GET', `/v1/users/${me.id}`)
  await client.call('PUT', `/v1/users/${me.id}`, { theme: 'dark_serif', entries_per_page: 50 })
  await client.call('GET', '/v1/api-keys')
  for (const topic of ['cooking', 'science', 'travel']) {
    const title = `${name} ${topic}`
    const { id } = jsonOf<{ id: number }>(await client.call('POST', '/v1/categories', { title }))
    await client.call('PUT', `/v1/categories/${id}`, { title: `${title} news` })
    if (topic === 'travel') {
      await client.call('DELETE', `/v1/categories/${id}`)
      continue
    }
    await client.call('POST', '/v1/import', subscriptions(`${title} news`, `${name}-${topic}`), 'text/xml')
    await browse(client, id, `${name}-${topic}`)
  }
  await client.call('GET', '/v1/categories?counts=true')
  await client.call('GET', '/v1/feeds')
  await client.call('GET', '/v1/feeds/counters')
  await client.call('GET', '/v1/entries?status=unread&limit=20')
  await client.call('GET', '/v1/export')
  await client.call('GET', '/v1/integrations/status')
  await client.call('GET', '/v1/version')
}

/** Two feeds of one category, with entries that are read, starred and corrected. */
async function browse(client: RecordingClient, category: number, name: string): Promise<void> {
  const feeds = jsonOf<{ id: number }[]>(await client.call('GET', `/v1/categories/${category}/feeds`))
  for (const [at, { id }] of feeds.entries()) {
    await client.call('GET', `/v1/feeds/${id}`)
    await client.call('PUT', `/v1/feeds/${id}`, { title: `${name} ${at + 1}, mornings` })
    const entries: number[] = []
    for (const page of ['one', 'two']) {
      const entry = jsonOf<{ id: number }>(
        await client.call('POST', `/v1/feeds/${id}/entries/import`, {
          url: `https://${name}.example.com/${at}/${page}`,
          title: `Page ${page} of ${name}`,
          content: `<p>Read by ${name} only.</p>`,
          status: 'unread',
        }),
      )
      entries.push(entry.id)
    }
    await client.call('GET', `/v1/feeds/${id}/entries`)
    const [first, second] = entries
    await client.call('GET', `/v1/entries/${first}`)
    await client.call('GET', `/v1/feeds/${id}/entries/${second}`)
    await client.call('PUT', `/v1/entries/${first}`, { title: `First page of ${name}` })
    await client.call('PUT', `/v1/entries/${first}/star`)
    await client.call('PUT', '/v1/entries', { entry_ids: [second], status: 'read' })
    if (at === 1) await client.call('DELETE', `/v1/feeds/${id}`)
  }
  await client.call('GET', `/v1/categories/${category}/entries`)
}

function subscriptions(category: string, name: string): string {
  const feeds = [1, 2].map(
    (at) =>
      `<outline type="rss" text="${name} ${at}" title="${name} ${at}" xmlUrl="https://${name}.example.com/${at}.xml"/>`,
  )
  return `<?xml version="1.0"?><opml version="2.0"><body><outline text="${category}">${feeds.join('')}</outline></body></opml>`
}

async function manage(client: RecordingClient): Promise<void> {
  await takeKey(client, ADMIN)
  await client.call('GET', '/v1/me')
  const users = jsonOf<{ id: number; username: string }[]>(await client.call('GET', '/v1/users'))
  const other = users.find(({ username }) => username !== ADMIN.username)!
  await client.call('GET', `/v1/users/${other.id}`)
  await client.call('GET', `/v1/users/${other.username}`)
  const made = jsonOf<{ id: number }>(
    await client.call('POST', '/v1/users', {
      username: 'leaver',
      password: 'leaver-Passw0rd-1',
      is_admin: false,
    }),
  )
  await client.call('PUT', `/v1/users/${made.id}`, { is_admin: false, language: 'de_DE' })
  await client.call('DELETE', `/v1/users/${made.id}`)
  await client.call('GET', '/v1/feeds')
  await client.call('GET', '/v1/version')
}
