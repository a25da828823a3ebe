import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { pythonSources } from '../install.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { sqliteDatabase } from '../snapshot.ts'
import type { Place, Running, Target, Visit } from '../target.ts'

const COMMIT = '5d3c061'

/** vAPI in the version with an OpenAPI document, with the users that its sources bring. */
export const vapi: Target = {
  name: 'vapi',
  sound: false,
  make: 'Python, Flask and Connexion, REST',
  source: `github.com/jorritfolmer/vulnerable-api ${COMMIT}`,
  start,
  prepare: () => Promise.resolve(visit),
  routes: () => Promise.resolve(ROUTES),
  volatile: ['tokens'],
  // The table of its README. Left out: its transport, what runs in browsers, tokens of which it is not known how they are
  // made or that they stay valid for longer than they say, and two that this version has not: its document has no
  // GET /tokens, and takes no XML.
  weaknesses: [
    { name: '2: user enumeration', at: 'POST /tokens', tests: ['USER_ENUMERATION_*'] },
    { name: '6: SQL injection in the body', at: 'POST /tokens', tests: ['SQLI_*'] },
    { name: '6: SQL injection in the header', at: 'GET /user/{user}', tests: ['SQLI_*_HEADER'] },
    { name: '6: SQL injection in the path', at: 'GET /user/{user}', tests: ['SQLI_*_PATH'] },
    { name: '6: SQL injection in the header', at: 'POST /user', tests: ['SQLI_*_HEADER'] },
    { name: '6: SQL injection in the header', at: 'POST /widget', tests: ['SQLI_*_HEADER'] },
    {
      name: '10: password in plain text',
      at: 'GET /user/{user}',
      tests: ['PASSWORD_*', 'SECRET_IN_RESPONSE'],
    },
    { name: '11: command injection', at: 'GET /uptime/*', tests: ['CMDI_*'] },
    { name: '12: slow expression', at: 'POST /user', tests: ['REDOS_*'] },
    { name: '12: slow expression', at: 'POST /widget', tests: ['REDOS_*'] },
    { name: '15: security headers', at: '*', tests: ['NOSNIFF_MISSING'] },
  ],
  judged: [
    {
      test: 'VERSION_DISCLOSURE_SERVER',
      at: '*',
      verdict: 'true',
      why: 'Werkzeug and Python with their versions.',
    },
    {
      test: 'EXPOSED_WERKZEUG_CONSOLE',
      at: 'GET /',
      verdict: 'true',
      why: 'It runs with debug=True, which its own last line sets.',
    },
    {
      test: 'SQLI_ERROR_BODY',
      at: 'POST /user',
      verdict: 'true',
      why: 'create_user looks the name up with a statement that it is part of.',
    },
    {
      test: 'STACK_TRACE_PATH',
      at: 'GET /uptime/*',
      verdict: 'true',
      why: 'The page of the debugger shows where the program broke.',
    },
    { test: 'LOGIN_BRUTE_FORCE', at: 'POST /tokens', verdict: 'true', why: 'get_token counts no attempts.' },
  ],
}

/** Of its `openapi/vAPI.yaml`. */
const ROUTES = [
  'GET /',
  'POST /tokens',
  'GET /user/{user}',
  'POST /user',
  'GET /uptime',
  'GET /uptime/{flag}',
  'POST /widget',
]

// As its own last lines, which listen on every address.
const MAIN = `
import sys
import connexion
app = connexion.FlaskApp('vAPI', specification_dir='openapi/')
app.add_api('vAPI.yaml', arguments={'title': 'Vulnerable API'})
app.run(port=int(sys.argv[1]), host='127.0.0.1', debug=True, use_reloader=False)
`

async function start({ programs, data, port }: Place): Promise<Running> {
  const { sources, bin } = pythonSources(
    programs,
    `vapi-${COMMIT}`,
    { repository: 'https://github.com/jorritfolmer/vulnerable-api', commit: COMMIT },
    // The newest of the lines that it names, which newer Python can still run.
    ['connexion==2.14.2', 'Flask==2.2.5', 'Werkzeug==2.2.3', 'lxml==5.3.0', 'setuptools==75.6.0'],
  )
  const folder = join(data, 'vapi')
  cpSync(sources, folder, { recursive: true })
  const origin = `http://127.0.0.1:${port}`
  const program = await startProgram({
    command: join(bin, 'python'),
    args: ['-c', MAIN, String(port)],
    folder,
    log: join(data, 'log'),
    ready: `${origin}/`,
  })
  return { origin, database: sqliteDatabase(join(folder, 'vAPI.db')), stop: program.stop }
}

const ACCOUNTS = {
  owner: { username: 'user1', password: 'pass1', widgets: ['widget01', 'gear7'] },
  attacker: { username: 'user2', password: 'pass2', widgets: ['widget02', 'bolt3'] },
  administrator: { username: 'admin1', password: 'pass1', widgets: ['widget03'] },
} as const

const visit: Visit = async (client, person) => {
  const { username, password, widgets } = ACCOUNTS[person]
  const { access } = jsonOf<{ access: { token: { id: string }; user: { id: number } } }>(
    await client.call('POST', '/tokens', { username, password }),
  )
  client.headers = { 'x-auth-token': access.token.id }
  await client.call('GET', '/')
  await client.call('GET', `/user/${access.user.id}`)
  for (const name of widgets) await client.call('POST', '/widget', { name })
  await client.call('GET', '/uptime')
  for (const flag of ['p', 's']) await client.call('GET', `/uptime/${flag}`)
  if (person === 'administrator') await makeUsers(client)
}

async function makeUsers(client: RecordingClient): Promise<void> {
  for (const name of ['olga1', 'otto2'])
    jsonOf(await client.call('POST', '/user', { username: name, password: `of-${name}` }))
}
