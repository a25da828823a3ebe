import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { ask } from '../api.ts'
import { pythonModules, pythonPackages } from '../install.ts'
import { runCommand, startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { sqliteDatabase } from '../snapshot.ts'
import type { Place, Running, Target, Visit } from '../target.ts'
import { doccanoUi } from './doccano-ui.ts'

const VERSION = '1.8.4'
const ADMIN = { username: 'admin', password: 'Admin-Passw0rd-1' }
const MEMBERS = ['olga', 'otto', 'petra', 'leaver']
/** What its own command does, but on this machine's own address only. */
const SERVE = `
import os, sys
from waitress import serve
sys.path.insert(0, os.getcwd())
from config.wsgi import application
serve(application, host='127.0.0.1', port=int(sys.argv[1]), threads=4, ident='')
`

/**
 * doccano: people label texts in projects. Who administers a project changes it and its members; an annotator labels and
 * comments. Olga and Otto administer one project each, and both are annotators of a third one.
 */
export const doccano: Target = {
  name: 'doccano',
  sound: true,
  make: 'Python, Django, REST, single page',
  source: `PyPI doccano==${VERSION}`,
  start,
  prepare,
  // The routes of its urls.py, without those of pictures, of file imports and of automatic labelling.
  routes: () => Promise.resolve(ROUTES),
  // Times of a last change, and the tasks that its health check puts into the queue.
  volatile: [
    'auth_user.last_login',
    'django_session',
    'kombu_message',
    'projects_project.updated_at',
    'label_types_categorytype.updated_at',
  ],
  crawl: { start: '/projects', ...ADMIN, ui: doccanoUi },
  weaknesses: [],
  judged: [
    {
      test: 'UNBOUNDED_TEXT_LENGTH',
      at: '*',
      verdict: 'true',
      why: 'Texts, comments and tags are kept at any length.',
    },
    {
      test: 'BOLA_CREATE',
      at: 'POST /v1/projects/{}/examples/{}/categories',
      verdict: 'false',
      why: 'Both are annotators of the project, and each labels for themselves (labels/views.py).',
    },
  ],
}

function of(path: string, ...methods: readonly string[]): string[] {
  return methods.map((method) => `${method} /v1${path}`)
}

const PROJECT = '/projects/{project}'
const EXAMPLE = `${PROJECT}/examples/{example}`
const ROUTES = [
  ...['login', 'logout', 'password/change', 'password/reset'].flatMap((name) => of(`/auth/${name}/`, 'POST')),
  ...of('/auth/user/', 'GET', 'PUT', 'PATCH'),
  ...of('/me', 'GET'),
  ...of('/users', 'GET'),
  ...of('/users/create', 'POST'),
  ...of('/roles', 'GET'),
  ...of('/health/', 'GET'),
  ...of('/projects', 'GET', 'POST', 'DELETE'),
  ...of(PROJECT, 'GET', 'PUT', 'PATCH', 'DELETE'),
  ...of(`${PROJECT}/my-role`, 'GET'),
  ...of(`${PROJECT}/clone`, 'POST'),
  ...of(`${PROJECT}/tags`, 'GET', 'POST'),
  ...of(`${PROJECT}/tags/{tag}`, 'DELETE'),
  ...of(`${PROJECT}/members`, 'GET', 'POST', 'DELETE'),
  ...of(`${PROJECT}/members/{member}`, 'GET', 'PUT', 'PATCH'),
  ...['progress', 'member-progress', 'category-distribution', 'span-distribution'].flatMap((name) =>
    of(`${PROJECT}/metrics/${name}`, 'GET'),
  ),
  ...['category-types', 'span-types', 'relation-types', 'comments', 'examples'].flatMap((name) => [
    ...of(`${PROJECT}/${name}`, 'GET', 'POST', 'DELETE'),
    ...of(`${PROJECT}/${name}/{id}`, 'GET', 'PUT', 'PATCH', 'DELETE'),
  ]),
  ...of(`${EXAMPLE}/states`, 'GET', 'POST'),
  ...['categories', 'spans', 'texts'].flatMap((name) => [
    ...of(`${EXAMPLE}/${name}`, 'GET', 'POST', 'DELETE'),
    ...of(`${EXAMPLE}/${name}/{id}`, 'GET', 'PUT', 'PATCH', 'DELETE'),
  ]),
  ...of(`${PROJECT}/download-format`, 'GET'),
  ...of(`${PROJECT}/download`, 'POST'),
  ...of(`${PROJECT}/catalog`, 'GET'),
]

async function start({ programs, data, port }: Place): Promise<Running> {
  const name = `doccano-${VERSION}`
  const bin = pythonPackages(programs, name, [
    `doccano==${VERSION}`,
    'marshmallow<4',
    'numpy<2',
    'setuptools<81',
    'waitress==2.1.2',
  ])
  const file = join(data, 'db.sqlite3')
  const program = {
    command: join(bin, 'python'),
    folder: join(pythonModules(bin), 'backend'),
    env: {
      DJANGO_SETTINGS_MODULE: 'config.settings.production',
      DATABASE_URL: `sqlite:///${file}`,
      MEDIA_ROOT: join(data, 'media'),
      STANDALONE: 'True',
    },
    log: join(data, 'log'),
  }
  const { username, password } = ADMIN
  for (const args of [
    ['migrate'],
    ['create_roles'],
    ['create_admin', '--noinput', '--username', username, '--password', password, '--email', 'a@example.com'],
  ])
    await runCommand({ ...program, args: ['manage.py', ...args] })
  const origin = `http://127.0.0.1:${port}`
  const { stop } = await startProgram({
    ...program,
    args: ['-c', SERVE, String(port)],
    ready: `${origin}/v1/me`,
  })
  return { origin, database: sqliteDatabase(file), stop }
}

function passwordOf(name: string): string {
  return `${name}-Passw0rd-1`
}

interface Named {
  readonly id: number
  readonly name: string
}

async function prepare(origin: string): Promise<Visit> {
  const v1 = `${origin}/v1`
  const { key } = await ask<{ key: string }>('POST', `${v1}/auth/login/`, {}, ADMIN)
  const admin = { authorization: `Token ${key}` }
  const ids: Record<string, number> = {}
  for (const username of MEMBERS) {
    const password = passwordOf(username)
    const account = { username, password1: password, password2: password }
    ids[username] = (await ask<{ id: number }>('POST', `${v1}/users/create`, admin, account)).id
  }
  const roles = await ask<Named[]>('GET', `${v1}/roles`, admin)
  const role = (name: string): number => roles.find((one) => one.name === name)!.id
  const open = async (name: string, members: readonly string[], as: string): Promise<number> => {
    const { id } = await ask<{ id: number }>('POST', `${v1}/projects`, admin, projectOf(name))
    for (const member of members)
      await ask('POST', `${v1}/projects/${id}/members`, admin, { user: ids[member], role: role(as) })
    return id
  }
  const projects: Record<string, number> = {
    olga: await open("Olga's letters", ['olga'], 'project_admin'),
    otto: await open("Otto's reviews", ['otto'], 'project_admin'),
  }
  const shared = await open('What all read', ['olga', 'otto', 'petra'], 'annotator')
  for (const text of ['The house is old', 'It rained all day', 'We came home late'])
    await ask('POST', `${v1}/projects/${shared}/examples`, admin, { text, meta: {} })
  await ask('POST', `${v1}/projects/${shared}/category-types`, admin, labelOf('Calm', 'c'))
  return async (client, person) => {
    const name = { owner: 'olga', attacker: 'otto', administrator: ADMIN.username }[person]
    await signIn(client, name, person === 'administrator' ? ADMIN.password : passwordOf(name))
    if (person === 'administrator') return manage(client)
    await direct(client, name, { id: projects[name]!, petra: ids['petra']!, annotator: role('annotator') })
    await annotate(client, name, shared)
  }
}

function projectOf(name: string): Record<string, unknown> {
  return {
    resourcetype: 'TextClassificationProject',
    project_type: 'DocumentClassification',
    name,
    description: `Texts: ${name}`,
    guideline: 'Read twice.',
    random_order: false,
    collaborative_annotation: false,
    single_class_classification: false,
    allow_member_to_create_label_type: false,
    tags: [],
  }
}

function labelOf(text: string, key: string): Record<string, unknown> {
  return {
    text,
    prefix_key: null,
    suffix_key: key,
    background_color: '#73D8FF',
    text_color: '#000000',
  }
}

async function signIn(client: RecordingClient, username: string, password: string): Promise<void> {
  const { key } = jsonOf<{ key: string }>(
    await client.call('POST', '/v1/auth/login/', { username, password }),
  )
  client.headers = { authorization: `Token ${key}` }
  await client.call('GET', '/v1/me')
  await client.call('GET', '/v1/auth/user/')
  await client.call('PATCH', '/v1/auth/user/', { first_name: username, last_name: 'Reader' })
  await client.call('GET', '/v1/projects?limit=10&offset=0')
  await client.call('GET', '/v1/roles')
}

async function idOf(client: RecordingClient, path: string, body: unknown): Promise<number> {
  return jsonOf<{ id: number }>(await client.call('POST', path, body)).id
}

/** Somebody's own project: members, labels, texts and what was made of them. */
async function direct(
  client: RecordingClient,
  name: string,
  { id, petra, annotator }: { id: number; petra: number; annotator: number },
): Promise<void> {
  const project = `/v1/projects/${id}`
  await client.call('GET', project)
  await client.call('PATCH', project, {
    resourcetype: 'TextClassificationProject',
    description: `Texts that ${name} chose`,
  })
  await client.call('GET', `${project}/my-role`)
  await client.call('GET', `/v1/users?q=pet&project_id=${id}`)
  await idOf(client, `${project}/members`, { user: petra, role: annotator })
  const members = jsonOf<{ id: number }[]>(await client.call('GET', `${project}/members`))
  await client.call('GET', `${project}/members/${members[0]!.id}`)
  for (const tag of ['spring', 'autumn']) {
    const made = await idOf(client, `${project}/tags`, { text: `${tag} of ${name}` })
    if (tag === 'autumn') await client.call('DELETE', `${project}/tags/${made}`)
  }
  await client.call('GET', `${project}/tags`)
  const labels: number[] = []
  for (const [label, key] of [
    ['Good', 'g'],
    ['Bad', 'b'],
    ['Odd', 'o'],
  ] as const)
    labels.push(await idOf(client, `${project}/category-types`, labelOf(label, key)))
  await client.call('GET', `${project}/category-types`)
  await client.call('GET', `${project}/category-types/${labels[0]}`)
  await client.call('PATCH', `${project}/category-types/${labels[1]}`, { text: 'Poor' })
  await client.call('DELETE', `${project}/category-types/${labels[2]}`)
  await workOnTexts(client, name, { project, label: labels[0]! })
  await client.call('GET', `${project}/metrics/progress`)
  await client.call('GET', `${project}/metrics/member-progress`)
  await client.call('GET', `${project}/metrics/category-distribution`)
  await client.call('GET', `${project}/download-format`)
}

async function workOnTexts(
  client: RecordingClient,
  name: string,
  { project, label }: { project: string; label: number },
): Promise<void> {
  for (const text of ['I was glad to hear from you', 'Nothing arrived', 'Please write again']) {
    const id = await idOf(client, `${project}/examples`, { text: `${text}, ${name}`, meta: { from: name } })
    await client.call('GET', `${project}/examples/${id}`)
    if (text === 'Please write again') {
      await client.call('DELETE', `${project}/examples/${id}`)
      continue
    }
    await client.call('PATCH', `${project}/examples/${id}`, { text: `${text}, as ${name} was told` })
    await talkAbout(client, name, { project, example: id, label })
  }
  await client.call('GET', `${project}/examples?limit=10&offset=0&q=glad`)
  await client.call('GET', `${project}/comments?limit=10&q=`)
}

/** A label, a comment and whether it is done. */
async function talkAbout(
  client: RecordingClient,
  name: string,
  { project, example, label }: { project: string; example: number; label: number },
): Promise<void> {
  const text = `${project}/examples/${example}`
  const category = await idOf(client, `${text}/categories`, { label })
  await client.call('GET', `${text}/categories`)
  await client.call('GET', `${text}/categories/${category}`)
  const comment = await idOf(client, `${project}/comments?example=${example}`, {
    text: `${name} is not sure`,
  })
  await client.call('GET', `${project}/comments?example=${example}`)
  await client.call('PATCH', `${project}/comments/${comment}`, { text: `${name} is sure now` })
  await client.call('POST', `${text}/states`, {})
  await client.call('GET', `${text}/states`)
  const slip = await idOf(client, `${project}/comments?example=${example}`, { text: `A slip of ${name}` })
  await client.call('DELETE', `${project}/comments/${slip}`)
}

/** The project of all: everybody labels for themselves. */
async function annotate(client: RecordingClient, name: string, shared: number): Promise<void> {
  const project = `/v1/projects/${shared}`
  await client.call('GET', project)
  await client.call('GET', `${project}/my-role`)
  const [label] = jsonOf<{ id: number }[]>(await client.call('GET', `${project}/category-types`))
  const { results } = jsonOf<{ results: { id: number }[] }>(
    await client.call('GET', `${project}/examples?limit=10&offset=0`),
  )
  for (const { id } of results.slice(0, 2))
    await talkAbout(client, name, { project, example: id, label: label!.id })
  const own = results[2]!.id
  const made = await idOf(client, `${project}/examples/${own}/categories`, { label: label!.id })
  await client.call('DELETE', `${project}/examples/${own}/categories/${made}`)
}

async function manage(client: RecordingClient): Promise<void> {
  await client.call('GET', '/v1/users')
  await client.call('POST', '/v1/users/create', {
    username: 'newcomer',
    password1: passwordOf('newcomer'),
    password2: passwordOf('newcomer'),
  })
  const { results } = jsonOf<{ results: Named[] }>(await client.call('GET', '/v1/projects?limit=10&offset=0'))
  const id = await idOf(client, '/v1/projects', projectOf('For the archive'))
  await client.call('PATCH', `/v1/projects/${id}`, {
    resourcetype: 'TextClassificationProject',
    name: 'For the cellar',
  })
  await client.call('DELETE', `/v1/projects/${id}`)
  await client.call('GET', `/v1/projects/${results[0]!.id}/members`)
  await client.call('GET', `/v1/projects/${results[0]!.id}/metrics/member-progress`)
  await client.call('GET', '/v1/health/')
}
