import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../../scripts/postgres.ts'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { ask, cookiesOf } from '../api.ts'
import { npmPackages } from '../install.ts'
import { operationsOf } from '../operations.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { runningOn } from '../running-on.ts'
import type { Place, Running, Target, Visit } from '../target.ts'
import { unleashUi } from './unleash-ui.ts'

const VERSION = '8.2.0'
const ADMIN = { username: 'admin', password: 'unleash4all' }
const EDITOR = 2

/** Unleash; its interface lies below /api/admin, and its controllers say which functions ask for a permission. */
export const unleash: Target = {
  name: 'unleash',
  sound: true,
  make: 'Node.js, REST, single page',
  source: `npm unleash-server@${VERSION}`,
  start,
  prepare,
  routes: async (origin) => operationsOf(await ask('GET', `${origin}/docs/openapi.json`)),
  // Records of what was done, counters, and sessions.
  volatile: [
    'events',
    'unleash_session',
    'users.seen_at',
    'users.login_attempts',
    'users.first_seen_at',
    'login_history',
    'onboarding_events_instance',
    'onboarding_events_project',
    'project_stats',
    'jobs',
    'instance_stats',
    'stat_environment_updates',
    'request_count',
    'traffic_usage',
    'stat_traffic_usage',
    // A change shows in another column.
    'users.updated_at',
  ],
  // It keeps users who were deleted, and the links by which they could have chosen a password.
  isMarked: (table, row, after) =>
    table === 'users'
      ? row['deleted_at'] !== null
      : table === 'reset_tokens' &&
        [...(after.get('users')?.values() ?? [])].some(
          (user) => user['id'] === row['user_id'] && user['deleted_at'] !== null,
        ),
  crawl: { start: '/', ...ADMIN, ui: unleashUi },
  weaknesses: [],
  judged: [
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'No x-content-type-options in the answers.',
    },
    { test: 'UNBOUNDED_TEXT_LENGTH', at: '*', verdict: 'true', why: 'Descriptions are kept at any length.' },
    {
      test: 'BFLA_ADMIN_*',
      at: '* /api/admin/*',
      verdict: 'false',
      why: 'The prefix of the whole interface; editors may use it, by the permissions of the controllers.',
    },
    {
      test: 'BOLA_*',
      at: '* /api/admin/*features/*',
      verdict: 'false',
      why: 'The features of a project belong to all of its editors; the lists of the project show them.',
    },
  ],
}

async function start({ programs, data, port }: Place): Promise<Running> {
  const folder = npmPackages(programs, `unleash-${VERSION}`, [`unleash-server@${VERSION}`])
  const postgres = await startPostgres(data)
  if (postgres === null) throw new Error('unleash needs the programs of a PostgreSQL server')
  const origin = `http://127.0.0.1:${port}`
  // The package is a library first: its own guide starts it from a program like this.
  const main = join(folder, 'start.mjs')
  writeFileSync(
    main,
    `import { start } from 'unleash-server'
await start({ databaseUrl: process.env.DATABASE_URL, server: { host: '127.0.0.1', port: Number(process.env.PORT) } })
`,
  )
  const started = await startProgram({
    command: process.execPath,
    args: [main],
    folder,
    env: {
      DATABASE_URL: postgres.url,
      NODE_ENV: 'production',
      DATABASE_SSL: 'false',
      PORT: String(port),
      UNLEASH_URL: origin,
      CHECK_VERSION: 'false',
      SEND_TELEMETRY: 'false',
      ENABLE_OAS: 'true',
    },
    log: join(data, 'log'),
    ready: `${origin}/health`,
  })
  return runningOn(postgres, origin, started)
}

async function prepare(origin: string): Promise<Visit> {
  const answer = await fetch(`${origin}/auth/simple/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  const admin = { cookie: cookiesOf(answer) }
  await answer.arrayBuffer()
  for (const name of ['olga', 'otto']) {
    const { id } = await ask<{ id: number }>('POST', `${origin}/api/admin/user-admin`, admin, {
      username: name,
      name,
      email: `${name}@flags.example.com`,
      rootRole: EDITOR,
      sendEmail: false,
    })
    await ask('POST', `${origin}/api/admin/user-admin/${id}/change-password`, admin, {
      password: `${name}-Passw0rd-1!`,
    })
  }
  return (client, person) => {
    if (person === 'administrator') return manage(client)
    return develop(client, person === 'owner' ? 'olga' : 'otto')
  }
}

async function signIn(client: RecordingClient, username: string, password: string): Promise<void> {
  const answer = await client.call('POST', '/auth/simple/login', { username, password })
  jsonOf(answer)
  client.headers = { cookie: cookiesOf(answer) }
}

async function look(client: RecordingClient): Promise<void> {
  for (const path of [
    '/api/admin/user',
    '/api/admin/ui-config',
    '/api/admin/projects',
    '/api/admin/projects/default/overview',
    '/api/admin/projects/default/features',
    '/api/admin/search/features?limit=25',
    '/api/admin/environments',
    '/api/admin/strategies',
    '/api/admin/context',
    '/api/admin/segments',
    '/api/admin/tag-types',
    '/api/admin/tags',
    '/api/admin/feature-types',
    '/api/admin/metrics/applications',
    '/api/admin/addons',
    '/api/admin/search/events?limit=10',
    '/api/admin/user/profile',
    '/api/admin/user/tokens',
    '/api/admin/personal-dashboard',
  ])
    await client.call('GET', path)
}

async function develop(client: RecordingClient, name: string): Promise<void> {
  await signIn(client, name, `${name}-Passw0rd-1!`)
  await look(client)
  const features = '/api/admin/projects/default/features'
  for (const kind of ['banner', 'search']) {
    const flag = `${name}-${kind}`
    await client.call('POST', features, {
      name: flag,
      type: 'release',
      description: kind,
      impressionData: false,
    })
    await client.call('GET', `${features}/${flag}`)
    await client.call('PUT', `${features}/${flag}`, {
      name: flag,
      type: 'experiment',
      description: `New ${kind}`,
    })
    const strategies = `${features}/${flag}/environments/development/strategies`
    const { id } = jsonOf<{ id: string }>(
      await client.call('POST', strategies, {
        name: 'flexibleRollout',
        parameters: { rollout: '50', stickiness: 'default', groupId: flag },
        constraints: [],
      }),
    )
    await client.call('GET', strategies)
    await client.call('GET', `${strategies}/${id}`)
    await client.call('POST', `${features}/${flag}/environments/development/on`)
    await client.call('POST', `/api/admin/features/${flag}/tags`, { type: 'simple', value: name })
    await client.call('GET', `/api/admin/features/${flag}/tags`)
    await client.call('GET', `/api/admin/events/${flag}`)
  }
  const { id } = jsonOf<{ id: number }>(
    await client.call('POST', '/api/admin/user/tokens', {
      description: `${name}'s laptop`,
      expiresAt: new Date(Date.now() + 86_400_000 * 30).toISOString(),
    }),
  )
  await client.call('GET', '/api/admin/user/tokens')
  await client.call('DELETE', `/api/admin/user/tokens/${id}`)
  await client.call('POST', '/api/admin/segments', {
    name: `${name}-segment`,
    description: 'Own users',
    constraints: [],
  })
}

async function manage(client: RecordingClient): Promise<void> {
  await signIn(client, ADMIN.username, ADMIN.password)
  await look(client)
  const { users } = jsonOf<{ users: { id: number; username?: string }[] }>(
    await client.call('GET', '/api/admin/user-admin'),
  )
  const other = users.find(({ username }) => username !== ADMIN.username)!.id
  await client.call('GET', `/api/admin/user-admin/${other}`)
  await client.call('GET', '/api/admin/user-admin/search?q=ol')
  await client.call('GET', '/api/admin/user-admin/admin-count')
  const made = jsonOf<{ id: number }>(
    await client.call('POST', '/api/admin/user-admin', {
      username: 'leaver',
      name: 'Leaver',
      email: 'leaver@flags.example.com',
      rootRole: EDITOR,
      sendEmail: false,
    }),
  )
  await client.call('PUT', `/api/admin/user-admin/${made.id}`, {
    name: 'Leaving',
    email: 'leaver@flags.example.com',
    rootRole: EDITOR,
  })
  await client.call('DELETE', `/api/admin/user-admin/${made.id}`)
  await client.call('GET', '/api/admin/api-tokens')
  await client.call('POST', '/api/admin/api-tokens', {
    tokenName: 'shop',
    type: 'backend',
    environment: 'development',
    projects: ['default'],
  })
  await client.call('GET', '/api/admin/invite-link/tokens')
  await client.call('GET', '/api/admin/instance-admin/statistics')
  await client.call('GET', '/api/admin/maintenance')
  await client.call('POST', '/api/admin/context', { name: 'region', description: 'Region', legalValues: [] })
}
