import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { pythonSources } from '../install.ts'
import { operationsOf } from '../operations.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { sqliteDatabase } from '../snapshot.ts'
import type { Place, Running, Target, Visit } from '../target.ts'

const COMMIT = '1713b54'

/** VAmPI. */
export const vampi: Target = {
  name: 'vampi',
  sound: false,
  make: 'Python, Flask, REST',
  source: `github.com/erev0s/VAmPI ${COMMIT}`,
  start,
  prepare,
  routes: async (origin) => operationsOf(await (await fetch(`${origin}/openapi.json`)).json()),
  volatile: [],
  // "List of Vulnerabilities" of its README. Expressions of evil length are within reach, weak keys too.
  weaknesses: [
    { name: 'SQL injection', at: 'GET /users/v1/{username}', tests: ['SQLI_*'] },
    {
      name: 'unauthorized password change',
      at: 'PUT /users/v1/{username}/password',
      tests: ['BOLA_UPDATE', 'BOLA_PASSWORD_CHANGE'],
    },
    { name: 'BOLA', at: 'GET /books/v1/{title}', tests: ['BOLA_READ'] },
    {
      name: 'mass assignment',
      at: 'POST /users/v1/register',
      tests: ['MASS_ASSIGNMENT_ADMIN_FLAG', 'MASS_ASSIGNMENT_*ROLE'],
    },
    {
      name: 'debug endpoint exposes passwords',
      at: 'GET /users/v1/_debug',
      tests: [
        'MISSING_AUTHENTICATION',
        'MISSING_AUTHENTICATION_OUTLIER',
        'SECRET_IN_RESPONSE',
        'PASSWORD_HASH_*',
      ],
    },
    { name: 'user enumeration', at: 'POST /users/v1/login', tests: ['USER_ENUMERATION_LOGIN'] },
    { name: 'slow expression', at: 'PUT /users/v1/{username}/email', tests: ['REDOS_EMAIL'] },
    { name: 'no rate limit', at: 'POST /users/v1/login', tests: ['LOGIN_BRUTE_FORCE'] },
    { name: 'weak JWT key', at: '*', tests: ['JWT_WEAK_SECRET'] },
  ],
  judged: [
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'No x-content-type-options in the answers.',
    },
    {
      test: 'VERSION_DISCLOSURE_SERVER',
      at: '*',
      verdict: 'true',
      why: 'Werkzeug and Python with their versions in every answer.',
    },
    {
      test: 'EXPOSED_WERKZEUG_CONSOLE',
      at: '*',
      verdict: 'true',
      why: 'Its own main program starts it with debug=True, which serves the console of Werkzeug at /console.',
    },
    {
      test: 'SQLI_*_PATH',
      at: 'GET /users/v1/_debug',
      verdict: 'true',
      why: 'The same function as for names of users, which puts the name into its query.',
    },
    {
      test: 'MISSING_AUTHENTICATION',
      at: 'GET /users/v1/_debug',
      verdict: 'true',
      why: 'Passwords of all users.',
    },
    {
      test: 'REDOS_EMAIL',
      at: 'POST /users/v1/register',
      verdict: 'false',
      why: 'Its schema asks for a text only; the delay was that of another test of the same application.',
    },
    {
      test: 'MISSING_AUTHENTICATION',
      at: 'GET /users/v1*',
      verdict: 'debatable',
      why: 'Its README lets visitors see users on purpose; their mail addresses are among what they see.',
    },
    {
      test: 'MISSING_AUTHENTICATION',
      at: 'GET /books/v1',
      verdict: 'debatable',
      why: 'Titles with their owners, shown to visitors on purpose.',
    },
  ],
}

// As its own main program, on this machine only.
const MAIN = `
import sys
import config
config.vuln_app.run(host='127.0.0.1', port=int(sys.argv[1]), debug=True, use_reloader=False)
`

async function start({ programs, data, port }: Place): Promise<Running> {
  const { sources, bin } = pythonSources(programs, `vampi-${COMMIT}`, {
    repository: 'https://github.com/erev0s/VAmPI',
    commit: COMMIT,
  })
  const folder = join(data, 'vampi')
  cpSync(sources, folder, { recursive: true })
  const origin = `http://127.0.0.1:${port}`
  const program = await startProgram({
    command: join(bin, 'python'),
    args: ['-c', MAIN, String(port)],
    folder,
    // Its tokens live a minute unless told otherwise.
    env: { tokentimetolive: '7200' },
    log: join(data, 'log'),
    ready: `${origin}/`,
  })
  return { origin, database: sqliteDatabase(join(folder, 'database/database.db')), stop: program.stop }
}

/** Its books get one of a hundred titles by chance, and two of the same title end its own filling. */
async function fill(origin: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const answer = await fetch(`${origin}/createdb`)
    await answer.arrayBuffer()
    if (answer.ok) return
  }
  throw new Error(`${origin}/createdb fails each time`)
}

async function prepare(origin: string): Promise<Visit> {
  await fill(origin)
  return (client, person) => {
    if (person === 'administrator') return manage(client)
    return read(client, person === 'owner' ? 'olga' : 'otto')
  }
}

async function signIn(client: RecordingClient, username: string, password: string): Promise<void> {
  const { auth_token: token } = jsonOf<{ auth_token: string }>(
    await client.call('POST', '/users/v1/login', { username, password }),
  )
  client.headers = { authorization: `Bearer ${token}` }
}

async function read(client: RecordingClient, name: string): Promise<void> {
  await client.call('GET', '/')
  const password = `${name}-Passw0rd-1`
  await client.call('POST', '/users/v1/register', {
    username: name,
    password,
    email: `${name}@books.example.com`,
  })
  await signIn(client, name, password)
  await client.call('GET', '/me')
  await client.call('GET', '/users/v1')
  await client.call('GET', `/users/v1/${name}`)
  await client.call('PUT', `/users/v1/${name}/email`, { email: `${name}.new@books.example.com` })
  await client.call('PUT', `/users/v1/${name}/password`, { password })
  await client.call('POST', '/books/v1', {
    book_title: `Diary of ${name}`,
    secret: `what ${name} never told`,
  })
  await client.call('GET', '/books/v1')
  await client.call('GET', `/books/v1/${encodeURIComponent(`Diary of ${name}`)}`)
}

async function manage(client: RecordingClient): Promise<void> {
  const leaver = `leaver${Date.now().toString(36)}`
  await client.call('POST', '/users/v1/register', {
    username: leaver,
    password: `${leaver}-Passw0rd-1`,
    email: `${leaver}@books.example.com`,
  })
  await signIn(client, 'admin', 'pass1')
  await client.call('GET', '/me')
  await client.call('GET', '/users/v1')
  await client.call('GET', '/users/v1/_debug')
  await client.call('GET', `/users/v1/${leaver}`)
  // A user with books cannot go: the list of books fails without their owner.
  await client.call('DELETE', `/users/v1/${leaver}`)
}
