import { cpSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { pythonSources } from '../install.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { sqliteDatabase } from '../snapshot.ts'
import type { Place, Running, Target, Visit } from '../target.ts'

const COMMIT = 'a961308'

const COMMANDS = ['CMDI_*']
const query = (name: string): string => `POST /graphql/query/${name}`
const mutation = (name: string): string => `POST /graphql/mutation/${name}`

/** Damn Vulnerable GraphQL Application: every visitor is one of its users, and only a token says who asks. */
export const dvga: Target = {
  name: 'dvga',
  sound: false,
  make: 'Python, Flask, GraphQL',
  source: `github.com/dolevf/Damn-Vulnerable-GraphQL-Application ${COMMIT}`,
  start,
  prepare,
  routes: () => Promise.resolve([...QUERIES.map(query), ...MUTATIONS.map(mutation)]),
  volatile: ['audits'],
  // "Scenarios" of its README, where an API tester can reach them. Left out: what runs in browsers, lists of refused
  // queries (its other mode), logs, and files that it writes and nobody can read.
  weaknesses: [
    { name: 'batch query attack', at: '*', tests: ['GRAPHQL_BATCHING'] },
    { name: 'aliases based attack', at: '*', tests: ['GRAPHQL_ALIAS_OVERLOADING'] },
    { name: 'introspection', at: '*', tests: ['GRAPHQL_INTROSPECTION_ENABLED'] },
    { name: 'GraphiQL interface', at: '*', tests: ['EXPOSED_GRAPHIQL'] },
    { name: 'field suggestions', at: '*', tests: ['GRAPHQL_FIELD_SUGGESTIONS'] },
    { name: 'stack trace errors', at: '*', tests: ['STACK_TRACE_*'] },
    { name: 'server-side request forgery', at: mutation('importPaste'), tests: ['SSRF_*'] },
    { name: 'OS command injection 1', at: mutation('importPaste'), tests: COMMANDS },
    { name: 'OS command injection 2', at: query('systemDiagnostics'), tests: COMMANDS },
    { name: 'OS command injection in the debug query', at: query('systemDebug'), tests: COMMANDS },
    { name: 'SQL injection', at: query('pastes'), tests: ['SQLI_*'] },
    { name: 'token forge', at: query('me'), tests: ['JWT_*'] },
    {
      name: 'weak password protection of a query',
      at: query('systemDiagnostics'),
      tests: ['LOGIN_BRUTE_FORCE'],
    },
  ],
  judged: [
    {
      test: 'MISSING_AUTHENTICATION',
      at: 'POST /graphql/query/audits',
      verdict: 'true',
      why: 'The log of all operations; only the administrator was recorded asking for it.',
    },
    {
      test: 'MISSING_AUTHENTICATION',
      at: 'POST /graphql/query/me',
      verdict: 'false',
      why: 'The token is a variable of the query; without a valid one it gives nothing.',
    },
    {
      test: 'MISSING_AUTHENTICATION',
      at: 'POST /graphql/query/systemDiagnostics',
      verdict: 'false',
      why: 'Name and password are variables of the query.',
    },
    {
      test: 'MISSING_AUTHENTICATION',
      at: '*',
      verdict: 'debatable',
      why: 'No resolver asks who is calling; every visitor is meant to be one of its users.',
    },
    { test: 'GRAPHQL_OVER_GET', at: '*', verdict: 'true', why: 'A query in the address is executed.' },
    {
      test: 'UNBOUNDED_TEXT_LENGTH',
      at: '*',
      verdict: 'true',
      why: 'models.py gives the texts of pastes no length.',
    },
    {
      test: 'LOGIN_BRUTE_FORCE',
      at: 'POST /graphql/mutation/login',
      verdict: 'true',
      why: 'Login.mutate counts no attempts.',
    },
  ],
}

const QUERIES = [
  'pastes',
  'paste',
  'systemUpdate',
  'systemDiagnostics',
  'systemDebug',
  'systemHealth',
  'users',
  'readAndBurn',
  'search',
  'audits',
  'deleteAllPastes',
  'me',
]
const MUTATIONS = [
  'createPaste',
  'editPaste',
  'deletePaste',
  'uploadPaste',
  'importPaste',
  'createUser',
  'login',
]

async function start({ programs, data, port }: Place): Promise<Running> {
  const { sources, bin } = pythonSources(programs, `dvga-${COMMIT}`, {
    repository: 'https://github.com/dolevf/Damn-Vulnerable-GraphQL-Application',
    commit: COMMIT,
  })
  const folder = join(data, 'dvga')
  cpSync(sources, folder, { recursive: true })
  const origin = `http://127.0.0.1:${port}`
  const program = await startProgram({
    command: join(bin, 'python'),
    args: ['app.py'],
    folder,
    // Its start calls `python3` for the tables.
    env: { PATH: `${bin}:${process.env['PATH']}`, WEB_HOST: '127.0.0.1', WEB_PORT: String(port) },
    log: join(data, 'log'),
    ready: `${origin}/about`,
  })
  return { origin, database: sqliteDatabase(join(folder, 'dvga.db')), stop: program.stop }
}

/** It handles one request at a time, so what it imports must be on another server. */
async function prepare(): Promise<Visit> {
  const pages = createServer((_request, response) => response.end('a page'))
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  pages.unref()
  return visitTo((pages.address() as AddressInfo).port)
}

type Variables = Readonly<Record<string, unknown>>

async function ask<T>(client: RecordingClient, document: string, variables: Variables = {}): Promise<T> {
  const answer = await client.call('POST', '/graphql', { query: document, variables })
  return jsonOf<{ data: T }>(answer).data
}

const visitTo =
  (pages: number): Visit =>
  async (client, person) => {
    const name = person === 'administrator' ? 'admin' : person === 'owner' ? 'olga' : 'otto'
    const password = person === 'administrator' ? 'changeme' : `${name}-Passw0rd-1`
    if (person !== 'administrator')
      await ask(
        client,
        'mutation ($username: String!, $email: String!, $password: String!) { createUser(userData: {username: $username, email: $email, password: $password}) { user { username } } }',
        { username: name, email: `${name}@pastes.example.com`, password },
      )
    const { login } = await ask<{ login: { accessToken: string } }>(
      client,
      'mutation ($username: String, $password: String) { login(username: $username, password: $password) { accessToken refreshToken } }',
      { username: name, password },
    )
    client.headers = { authorization: `Bearer ${login.accessToken}` }
    await ask(client, 'query ($token: String) { me(token: $token) { id username password } }', {
      token: login.accessToken,
    })
    await look(client, name, pages)
    if (person === 'administrator') await manage(client, password)
  }

async function look(client: RecordingClient, name: string, pages: number): Promise<void> {
  const { createPaste } = await ask<{ createPaste: { paste: { id: string } } }>(
    client,
    'mutation ($title: String, $content: String, $public: Boolean) { createPaste(title: $title, content: $content, public: $public, burn: false) { paste { id title content } } }',
    { title: `Notes of ${name}`, content: `What ${name} wrote`, public: true },
  )
  const id = Number(createPaste.paste.id)
  await ask(
    client,
    'mutation ($id: Int, $title: String, $content: String) { editPaste(id: $id, title: $title, content: $content) { paste { id title content } } }',
    { id, title: `Notes of ${name}`, content: `What ${name} wrote later` },
  )
  await ask(
    client,
    'query ($public: Boolean, $limit: Int, $filter: String) { pastes(public: $public, limit: $limit, filter: $filter) { id title content public } }',
    { public: true, limit: 10, filter: `Notes of ${name}` },
  )
  await ask(client, 'query ($id: Int) { paste(id: $id) { id title content } }', { id })
  await ask(
    client,
    'query ($keyword: String) { search(keyword: $keyword) { ... on PasteObject { title content } ... on UserObject { username } } }',
    { keyword: 'Notes' },
  )
  await ask(client, 'query { users { id username } }')
  await ask(
    client,
    'mutation ($filename: String!, $content: String!) { uploadPaste(filename: $filename, content: $content) { result } }',
    { filename: `${name}.txt`, content: `What ${name} has in a file` },
  )
  await ask(
    client,
    'mutation ($host: String!, $port: Int!, $path: String!, $scheme: String!) { importPaste(host: $host, port: $port, path: $path, scheme: $scheme) { result } }',
    { host: '127.0.0.1', port: pages, path: '/page', scheme: 'http' },
  )
  const { createPaste: other } = await ask<{ createPaste: { paste: { id: string } } }>(
    client,
    'mutation ($title: String, $content: String) { createPaste(title: $title, content: $content, public: false, burn: false) { paste { id title content } } }',
    { title: `Draft of ${name}`, content: 'to be deleted' },
  )
  await ask(client, 'mutation ($id: Int) { deletePaste(id: $id) { result } }', { id: Number(other.paste.id) })
}

async function manage(client: RecordingClient, password: string): Promise<void> {
  // GraphiQL answers who has the cookie that its documentation names.
  const { headers } = client
  client.headers = { ...headers, cookie: 'env=graphiql:enable' }
  await client.call('POST', '/graphiql', {
    query: 'query ($public: Boolean, $limit: Int) { pastes(public: $public, limit: $limit) { id title } }',
    variables: { public: true, limit: 5 },
  })
  client.headers = headers
  await ask(client, 'query { audits { id gqloperation timestamp } }')
  await ask(client, 'query { systemHealth }')
  await ask(client, 'query ($arg: String) { systemDebug(arg: $arg) }', { arg: 'ux' })
  await ask(
    client,
    'query ($username: String, $password: String, $cmd: String) { systemDiagnostics(username: $username, password: $password, cmd: $cmd) }',
    { username: 'admin', password, cmd: 'whoami' },
  )
}
