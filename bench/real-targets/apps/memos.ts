import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { ask } from '../api.ts'
import { goSources } from '../install.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { type Database, sqliteDatabase } from '../snapshot.ts'
import type { Place, Running, Target, Visit } from '../target.ts'

/** v0.30.0 */
const COMMIT = '2036c1ffc1b0a1e1fa6a473738c2a5ef520df67f'
const PASSWORDS = { anna: 'anna-Passw0rd-1', olga: 'olga-Passw0rd-1', otto: 'otto-Passw0rd-1' }

/**
 * Memos, notes that are private, for everybody who is signed in, or public. Comments and reactions belong to a note,
 * everything else to a user; addresses end in names of methods after a colon. Without its interface, whose sources are
 * built apart.
 */
export const memos: Target = {
  name: 'memos',
  sound: true,
  make: 'Go, gRPC gateway, REST',
  source: `github.com/usememos/memos ${COMMIT.slice(0, 7)}`,
  start,
  prepare,
  // Its proto/api/v1.
  routes: () => Promise.resolve(ROUTES),
  // Times of a last change.
  volatile: ['user.updated_ts', 'memo.updated_ts', 'attachment.updated_ts'],
  weaknesses: [],
  judged: [
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'No x-content-type-options in the answers; only its server of files sends it.',
    },
    {
      test: 'UNBOUNDED_TEXT_LENGTH',
      at: 'PATCH /api/v1/users/{}/shortcuts/{}',
      verdict: 'true',
      why: 'Of a title, shortcut_service.go asks only that there is one.',
    },
    {
      test: 'MISSING_AUTHENTICATION*',
      at: '*',
      verdict: 'false',
      why: 'acl_config.go names it among what is public on purpose; notes are chosen by their visibility, and profiles leave out the mail address.',
    },
    {
      test: 'BOLA_READ',
      at: 'GET /api/v1/memos/{}*',
      verdict: 'false',
      why: 'The note is PROTECTED or PUBLIC: everybody who is signed in may read it, and its list shows it to all.',
    },
  ],
}

const OPERATIONS = {
  list: (list: string): string => `GET ${list}`,
  make: (list: string): string => `POST ${list}`,
  read: (list: string): string => `GET ${list}/{id}`,
  change: (list: string): string => `PATCH ${list}/{id}`,
  delete: (list: string): string => `DELETE ${list}/{id}`,
}

const MEMO = '/api/v1/memos/{memo}'
const USER = '/api/v1/users/{user}'
const ROUTES = [
  'POST /api/v1/ai:transcribe',
  ...crud('/api/v1/attachments', ['list', 'make', 'read', 'change', 'delete']),
  'POST /api/v1/attachments:batchDelete',
  'GET /api/v1/auth/me',
  ...['signin', 'signout', 'refresh'].map((what) => `POST /api/v1/auth/${what}`),
  ...crud('/api/v1/identity-providers', ['list', 'make', 'read', 'change', 'delete']),
  'GET /api/v1/instance/profile',
  'GET /api/v1/instance/stats',
  ...crud('/api/v1/instance/settings', ['read', 'change']),
  'POST /api/v1/instance/settings:batchGet',
  'POST /api/v1/instance/settings/notification:testEmail',
  ...crud('/api/v1/memos', ['list', 'make', 'read', 'change', 'delete']),
  ...['attachments', 'relations'].flatMap((what) => [`PATCH ${MEMO}/${what}`, `GET ${MEMO}/${what}`]),
  ...crud(`${MEMO}/comments`, ['list', 'make']),
  ...['reactions', 'shares'].flatMap((what) => crud(`${MEMO}/${what}`, ['list', 'make', 'delete'])),
  'GET /api/v1/shares/{token}/memo',
  'GET /api/v1/memos/-/linkMetadata',
  'POST /api/v1/memos/-/linkMetadata:batchGet',
  ...crud('/api/v1/users', ['list', 'make', 'read', 'change', 'delete']),
  'POST /api/v1/users:batchGet',
  'GET /api/v1/users:stats',
  `GET ${USER}:getStats`,
  ...crud(`${USER}/settings`, ['list', 'read', 'change']),
  ...crud(`${USER}/linkedIdentities`, ['list', 'make', 'read', 'delete']),
  ...crud(`${USER}/personalAccessTokens`, ['list', 'make', 'delete']),
  ...crud(`${USER}/shortcuts`, ['list', 'make', 'read', 'change', 'delete']),
  ...crud(`${USER}/webhooks`, ['list', 'make', 'change', 'delete']),
  `GET ${USER}/webhooks/{webhook}:getSigningSecret`,
  ...crud(`${USER}/notifications`, ['list', 'change', 'delete']),
]

function crud(list: string, what: readonly (keyof typeof OPERATIONS)[]): string[] {
  return what.map((operation) => OPERATIONS[operation](list))
}

async function start({ programs, data, port }: Place): Promise<Running> {
  const command = goSources(programs, `memos-${COMMIT.slice(0, 7)}`, {
    repository: 'https://github.com/usememos/memos',
    commit: COMMIT,
    main: 'cmd/memos',
  })
  const origin = `http://127.0.0.1:${port}`
  const started = await startProgram({
    command,
    args: ['--addr', '127.0.0.1', '--port', String(port), '--data', data, '--instance-url', origin],
    folder: data,
    log: join(data, 'log'),
    ready: `${origin}/healthz`,
  })
  const database = withoutSessions(sqliteDatabase(join(data, 'memos_prod.db')))
  return { origin, database, stop: started.stop }
}

/** Sessions are rows of the table of settings. */
function withoutSessions(database: Database): Database {
  return {
    async snapshot() {
      const tables = new Map(await database.snapshot())
      const settings = [...(tables.get('user_setting') ?? [])]
      return tables.set(
        'user_setting',
        new Map(settings.filter(([, row]) => row['key'] !== 'REFRESH_TOKENS')),
      )
    },
  }
}

/** The first account is the administrator. */
async function prepare(origin: string): Promise<Visit> {
  for (const [username, password] of Object.entries(PASSWORDS))
    await ask('POST', `${origin}/api/v1/users`, {}, { username, password, email: `${username}@example.com` })
  return async (client, person) => {
    const name = person === 'administrator' ? 'anna' : person === 'owner' ? 'olga' : 'otto'
    await signIn(client, name)
    await write(client, name)
    await keep(client, name)
    if (person === 'administrator') await manage(client)
  }
}

async function signIn(client: RecordingClient, username: keyof typeof PASSWORDS): Promise<void> {
  await client.call('GET', '/api/v1/instance/profile')
  const { accessToken } = jsonOf<{ accessToken: string }>(
    await client.call('POST', '/api/v1/auth/signin', {
      passwordCredentials: { username, password: PASSWORDS[username] },
    }),
  )
  client.headers = { authorization: `Bearer ${accessToken}` }
  await client.call('GET', '/api/v1/auth/me')
}

/** Notes of each visibility, with a comment, a reaction and a link for sharing. */
async function write(client: RecordingClient, name: string): Promise<void> {
  for (const [at, visibility] of (['PRIVATE', 'PROTECTED', 'PUBLIC', 'PRIVATE'] as const).entries()) {
    const memo = await made(client, '/api/v1/memos', {
      content: `Note ${at + 1} of ${name} #${name}-plans`,
      visibility,
      state: 'NORMAL',
    })
    await client.call('GET', `/api/v1/${memo}`)
    await client.call('PATCH', `/api/v1/${memo}?updateMask=content`, {
      content: `Note ${at + 1} of ${name}, corrected #${name}-plans`,
    })
    await client.call('PATCH', `/api/v1/${memo}?updateMask=pinned`, { pinned: true })
    await made(client, `/api/v1/${memo}/comments`, { content: `A thought of ${name}`, visibility })
    await client.call('GET', `/api/v1/${memo}/comments`)
    const reaction = await made(client, `/api/v1/${memo}/reactions`, {
      name: memo,
      reaction: { contentId: memo, reactionType: '👍' },
    })
    await client.call('GET', `/api/v1/${memo}/reactions`)
    await client.call('GET', `/api/v1/${memo}/relations`)
    await client.call('GET', `/api/v1/${memo}/attachments`)
    const share = await made(client, `/api/v1/${memo}/shares`, {})
    await client.call('GET', `/api/v1/${memo}/shares`)
    await client.call('GET', `/api/v1/shares/${share.split('/').at(-1)}/memo`)
    if (at === 3) {
      await client.call('DELETE', `/api/v1/${reaction}`)
      await client.call('DELETE', `/api/v1/${share}`)
      await client.call('DELETE', `/api/v1/${memo}`)
    }
  }
  await client.call('GET', '/api/v1/memos?pageSize=20')
  await client.call('GET', `/api/v1/memos?pageSize=20&filter=creator%20%3D%3D%20%22users%2F${name}%22`)
}

/** What belongs to one user: files, filters, keys and settings. Webhooks are left out: their hosts must have an address. */
async function keep(client: RecordingClient, name: string): Promise<void> {
  const user = `/api/v1/users/${name}`
  for (const topic of ['cooking', 'travel']) {
    const attachment = await made(client, '/api/v1/attachments', {
      filename: `${name}-${topic}.txt`,
      type: 'text/plain',
      content: Buffer.from(`${topic} of ${name}`).toString('base64'),
    })
    await client.call('GET', `/api/v1/${attachment}`)
    await client.call('PATCH', `/api/v1/${attachment}?updateMask=filename`, {
      filename: `${name}-${topic}-2.txt`,
    })
    const shortcut = await made(client, `${user}/shortcuts`, {
      title: `${topic} of ${name}`,
      filter: `content.contains("${topic}")`,
    })
    await client.call('GET', `/api/v1/${shortcut}`)
    await client.call('PATCH', `/api/v1/${shortcut}?updateMask=title`, { title: `All ${topic} of ${name}` })
    const key = await client.call('POST', `${user}/personalAccessTokens`, { description: topic })
    const { personalAccessToken } = jsonOf<{ personalAccessToken: { name: string } }>(key)
    if (topic === 'cooking') continue
    for (const thing of [attachment, shortcut, personalAccessToken.name])
      await client.call('DELETE', `/api/v1/${thing}`)
  }
  await client.call('GET', '/api/v1/attachments')
  for (const list of ['shortcuts', 'personalAccessTokens', 'notifications', 'settings'])
    await client.call('GET', `${user}/${list}`)
  await client.call('GET', `${user}/settings/GENERAL`)
  await client.call('PATCH', `${user}/settings/GENERAL?updateMask=locale`, {
    name: `users/${name}/settings/GENERAL`,
    generalSetting: { locale: 'de' },
  })
  await client.call('GET', user)
  await client.call('PATCH', `${user}?updateMask=display_name`, { displayName: `Our ${name}` })
  await client.call('GET', `${user}:getStats`)
  await client.call('GET', '/api/v1/users:stats')
}

async function manage(client: RecordingClient): Promise<void> {
  await client.call('GET', '/api/v1/users')
  const user = await made(client, '/api/v1/users', {
    username: 'leaver',
    password: 'leaver-Passw0rd-1',
    role: 'USER',
  })
  await client.call('PATCH', `/api/v1/${user}?updateMask=display_name`, { displayName: 'Leaver' })
  await client.call('DELETE', `/api/v1/${user}`)
  await client.call('GET', '/api/v1/instance/stats')
  for (const setting of ['GENERAL', 'STORAGE', 'MEMO_RELATED'])
    await client.call('GET', `/api/v1/instance/settings/${setting}`)
  await client.call('PATCH', '/api/v1/instance/settings/GENERAL', {
    name: 'instance/settings/GENERAL',
    generalSetting: { customProfile: { title: 'Notes' } },
  })
}

/** @returns the name of what was made, such as `memos/abc` */
async function made(client: RecordingClient, list: string, body: unknown): Promise<string> {
  return jsonOf<{ name: string }>(await client.call('POST', list, body)).name
}
