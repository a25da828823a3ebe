import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { cookiesOf } from '../api.ts'
import { pythonPackages } from '../install.ts'
import { operationsOf } from '../operations.ts'
import { runCommand, startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { sqliteDatabase } from '../snapshot.ts'
import type { Place, Running, Target, Visit } from '../target.ts'
import { labelStudioUi } from './label-studio-ui.ts'

const VERSION = '1.23.2'
const ADMIN = { email: 'admin@work.example.com', password: 'Admin-Passw0rd-1' }
const DATABASE = 'label_studio.sqlite3'
/** Makes the tables; takes a minute, so that it is done once. */
const MIGRATE = `
import os, sys, label_studio
sys.path.insert(0, os.path.dirname(label_studio.__file__))
os.environ['DJANGO_SETTINGS_MODULE'] = 'core.settings.label_studio'
from django.core.management import execute_from_command_line
execute_from_command_line(['manage.py', 'migrate'])
`

/**
 * Label Studio: people sign in by a form and label data in the projects of one organization, which all its members see and
 * change; their accounts, tokens and shortcuts are their own. Requests carry a cookie of the session and, where they write,
 * a token against forged requests.
 */
export const labelStudio: Target = {
  name: 'label-studio',
  sound: true,
  make: 'Python, Django, REST, server-rendered and single page',
  source: `pypi label-studio==${VERSION}`,
  start,
  prepare,
  routes,
  // Sessions, and times of a last use or change.
  volatile: [
    'django_session',
    'htx_user.activity_at',
    'htx_user.last_activity',
    'htx_user.last_login',
    'organization.updated_at',
    // Who asks for the next task reserves it for a day.
    'tasks_tasklock',
    'projects_labelstreamhistory',
  ],
  crawl: { start: '/', username: ADMIN.email, password: ADMIN.password, ui: labelStudioUi },
  weaknesses: [],
  judged: [
    {
      test: 'VERSION_DISCLOSURE_SERVER',
      at: '*',
      verdict: 'true',
      why: 'The header Server names WSGIServer and CPython with their versions.',
    },
    {
      test: 'UNBOUNDED_TEXT_LENGTH',
      at: '*',
      verdict: 'true',
      why: 'Data of tasks and of views are kept at any length.',
    },
    {
      test: 'BOLA_UPDATE',
      at: 'PATCH /api/users/{}',
      verdict: 'true',
      why: 'UserAPI takes the PATCH of any member for any other: names and phone numbers of other people change.',
    },
    {
      test: 'BOLA_READ',
      at: 'GET /api/organizations/{}*',
      verdict: 'false',
      why: 'It is the organization of the attacker as well, and all members see it.',
    },
    {
      test: 'B*',
      at: '* /api/organizations/{}*',
      verdict: 'debatable',
      why: 'Every member belongs to the one organization and may change its title: the permissions of this edition ask for a signed-in user only (core/permissions.py).',
    },
    {
      test: 'BOLA_*',
      at: '* /api/projects/{}*',
      verdict: 'false',
      why: 'All members see and change all projects of their organization.',
    },
    {
      test: 'BOLA_*',
      at: '* /api/dm/views/{}',
      verdict: 'false',
      why: 'A view belongs to a project, and all members see and change all projects.',
    },
    {
      test: 'MISSING_AUTHENTICATION*',
      at: 'GET /api/webhooks/info',
      verdict: 'debatable',
      why: 'Names and descriptions of events, which are the same everywhere, are told to everybody.',
    },
  ],
}

async function routes(origin: string): Promise<readonly string[]> {
  const answer = await fetch(`${origin}/docs/api/schema/json/`)
  return operationsOf(await answer.json())
}

async function start({ programs, data, port }: Place): Promise<Running> {
  const name = `label-studio-${VERSION}`
  const bin = pythonPackages(programs, name, [`label-studio==${VERSION}`])
  const log = join(data, 'log')
  const env = {
    DJANGO_DB: 'sqlite',
    COLLECT_ANALYTICS: 'false',
    LATEST_VERSION_CHECK: 'false',
    SENTRY_DSN: '',
    FRONTEND_SENTRY_DSN: '',
  }
  const migrated = join(programs, name, 'migrated')
  if (!existsSync(migrated)) {
    const unfinished = `${migrated}-unfinished`
    rmSync(unfinished, { recursive: true, force: true })
    await runCommand({
      command: join(bin, 'python'),
      args: ['-c', MIGRATE],
      folder: data,
      env: { ...env, LABEL_STUDIO_BASE_DATA_DIR: unfinished },
      log,
    })
    renameSync(unfinished, migrated)
  }
  const folder = join(data, 'studio')
  cpSync(migrated, folder, { recursive: true })
  const origin = `http://127.0.0.1:${port}`
  const { stop } = await startProgram({
    command: join(bin, 'label-studio'),
    args: [
      ...['start', '--no-browser', '--internal-host', '127.0.0.1', '--port', String(port)],
      ...['--username', ADMIN.email, '--password', ADMIN.password],
    ],
    folder: data,
    env: { ...env, LABEL_STUDIO_BASE_DATA_DIR: folder },
    log,
    ready: `${origin}/health`,
  })
  return { origin, database: sqliteDatabase(join(folder, DATABASE)), stop }
}

function passwordOf(name: string): string {
  return `${name}-Passw0rd-1`
}

/** Cookies and the token of the form that a page has. */
async function formOf(origin: string, path: string): Promise<{ cookie: string; token: string }> {
  const page = await fetch(origin + path)
  await page.arrayBuffer()
  const cookie = cookiesOf(page)
  return { cookie, token: /csrftoken=([^;]+)/.exec(cookie)?.[1] ?? '' }
}

async function prepare(origin: string): Promise<Visit> {
  for (const name of ['olga', 'otto', 'leaver']) {
    const { cookie, token } = await formOf(origin, '/user/signup/')
    const answer = await fetch(`${origin}/user/signup/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        csrfmiddlewaretoken: token,
        email: `${name}@work.example.com`,
        password: passwordOf(name),
      }),
    })
    if (answer.status !== 302) throw new Error(`signing up ${name} was answered with ${answer.status}`)
    await answer.arrayBuffer()
  }
  return async (client, person) => {
    if (person === 'administrator') return manage(origin, client)
    const name = person === 'owner' ? 'olga' : 'otto'
    await signIn(origin, client, { email: `${name}@work.example.com`, password: passwordOf(name) })
    return label(client, name)
  }
}

async function signIn(
  origin: string,
  client: RecordingClient,
  { email, password }: typeof ADMIN,
): Promise<void> {
  const { cookie, token } = await formOf(origin, '/user/login/')
  client.headers = { cookie }
  const form = new URLSearchParams({ csrfmiddlewaretoken: token, email, password, persist_session: 'on' })
  const answer = await client.call(
    'POST',
    '/user/login/',
    form.toString(),
    'application/x-www-form-urlencoded',
  )
  if (answer.status !== 302) throw new Error(`signing in as ${email} was answered with ${answer.status}`)
  const own = cookiesOf(answer)
  client.headers = { cookie: own, 'x-csrftoken': /csrftoken=([^;]+)/.exec(own)?.[1] ?? '' }
}

const CONFIG =
  '<View><Text name="text" value="$text"/><Choices name="mood" toName="text"><Choice value="Good"/><Choice value="Bad"/></Choices></View>'

async function label(client: RecordingClient, name: string): Promise<void> {
  const me = jsonOf<{ id: number }>(await client.call('GET', '/api/current-user/whoami'))
  await client.call('GET', '/api/current-user/hotkeys/')
  await client.call('PATCH', '/api/current-user/hotkeys/', {
    custom_hotkeys: { 'annotation:submit': { key: 'ctrl+enter', active: true } },
  })
  await client.call('GET', '/api/current-user/token')
  await client.call('GET', `/api/users/${me.id}/`)
  await client.call('PATCH', `/api/users/${me.id}/`, {
    first_name: name,
    last_name: 'Reader',
    phone: '555-0100',
  })
  await client.call('GET', '/api/users/')
  await client.call('GET', '/api/projects/?page_size=30&ordering=-created_at')
  for (const topic of ['letters', 'reviews']) await workOn(client, `${topic} of ${name}`)
  await client.call('GET', '/api/organizations/')
  await client.call('GET', '/api/templates/')
  await client.call('GET', '/api/version/')
}

/** A project with two tasks: one is labelled, one deleted, and the second project goes again. */
async function workOn(client: RecordingClient, title: string): Promise<void> {
  const { id } = jsonOf<{ id: number }>(
    await client.call('POST', '/api/projects/', { title, description: '', label_config: CONFIG }),
  )
  await client.call('GET', `/api/projects/${id}/`)
  await client.call('PATCH', `/api/projects/${id}/`, { description: `What people wrote, ${title}` })
  await client.call('POST', `/api/projects/${id}/validate/`, { label_config: CONFIG })
  const tasks: number[] = []
  for (const text of ['I was glad to hear from you', 'Nothing arrived', 'Please write again']) {
    const task = jsonOf<{ id: number }>(
      await client.call('POST', '/api/tasks/', { project: id, data: { text: `${text}, ${title}` } }),
    )
    tasks.push(task.id)
  }
  const view = jsonOf<{ id: number }>(
    await client.call('POST', '/api/dm/views/', { project: id, data: { title: 'All', ordering: [] } }),
  ).id
  await client.call('GET', `/api/dm/views/?project=${id}`)
  await client.call('PATCH', `/api/dm/views/${view}/`, {
    project: id,
    data: { title: 'Open', ordering: ['tasks:id'] },
  })
  await client.call('GET', `/api/tasks/?project=${id}&page=1&page_size=30`)
  await client.call('GET', `/api/projects/${id}/next/`)
  const [first, second, third] = tasks
  await client.call('GET', `/api/tasks/${first}/`)
  await client.call('PATCH', `/api/tasks/${second}/`, { data: { text: `Nothing arrived yet, ${title}` } })
  const result = [{ from_name: 'mood', to_name: 'text', type: 'choices', value: { choices: ['Good'] } }]
  for (const task of [first, second]) {
    const annotation = jsonOf<{ id: number }>(
      await client.call('POST', `/api/tasks/${task}/annotations/`, {
        result,
        was_cancelled: false,
        lead_time: 4.2,
      }),
    ).id
    await client.call('GET', `/api/annotations/${annotation}/`)
    await client.call('PATCH', `/api/annotations/${annotation}/`, {
      result: [{ ...result[0], value: { choices: ['Bad'] } }],
    })
    if (task === second) await client.call('DELETE', `/api/annotations/${annotation}/`)
  }
  await client.call('GET', `/api/tasks/${first}/annotations/`)
  await client.call('DELETE', `/api/tasks/${third}/`)
  await client.call('GET', `/api/projects/${id}/summary/`)
  await client.call('GET', `/api/projects/${id}/export/formats`)
  await client.call('GET', `/api/projects/${id}/export?exportType=JSON`)
  if (!title.startsWith('reviews')) return
  await client.call('DELETE', `/api/dm/views/${view}/`)
  await client.call('DELETE', `/api/projects/${id}/`)
}

async function manage(origin: string, client: RecordingClient): Promise<void> {
  await signIn(origin, client, ADMIN)
  await client.call('GET', '/api/current-user/whoami')
  const organizations = jsonOf<{ id: number }[]>(await client.call('GET', '/api/organizations/'))
  const organization = organizations[0]!.id
  await client.call('GET', `/api/organizations/${organization}`)
  await client.call('PATCH', `/api/organizations/${organization}`, { title: 'Label House' })
  await client.call('GET', `/api/organizations/${organization}/memberships`)
  await client.call('GET', '/api/invite')
  await client.call('GET', '/api/jwt/settings')
  await client.call('GET', '/api/session-policy/')
  const users = jsonOf<{ id: number; email: string }[]>(await client.call('GET', '/api/users/'))
  const leaver = users.find(({ email }) => email.startsWith('leaver'))
  if (leaver !== undefined) {
    await client.call('GET', `/api/users/${leaver.id}/`)
    await client.call('DELETE', `/api/organizations/${organization}/memberships/${leaver.id}/`)
  }
  await client.call('GET', '/api/projects/?page_size=30')
  await client.call('GET', '/api/webhooks/info/')
}
