import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { nodeSources } from '../install.ts'
import { startMongo } from '../mongo.ts'
import { startProgram } from '../program.ts'
import { sqliteDatabase } from '../snapshot.ts'
import type { Person, Place, Running, Target, Visit } from '../target.ts'

const COMMIT = '8256721'

/** DVAPI, a capture-the-flag site for the OWASP API Security Top 10 of 2023. Nobody can sign in as its administrator. */
export const dvapi: Target = {
  name: 'dvapi',
  sound: false,
  make: 'Node.js, Express, MongoDB, REST',
  source: `github.com/payatu/DVAPI ${COMMIT}`,
  start,
  prepare: (origin) => Promise.resolve(visitTo(origin)),
  routes: () => Promise.resolve(ROUTES),
  volatile: [],
  // The challenges of its solution. Left out: 0xa9, a parameter that only a comment of a page names. No test sends large
  // files (0xa4) or many tickets (0xa8), which are counted all the same.
  weaknesses: [
    { name: '0xa1: notes of others', at: 'GET /api/getNote', tests: ['BOLA_READ', 'BOLA_READ_QUERY'] },
    { name: '0xa2: weak JWT secret', at: '*', tests: ['JWT_WEAK_SECRET'] },
    { name: '0xa3: own score', at: 'POST /api/register', tests: ['MASS_ASSIGNMENT_*'] },
    { name: '0xa4: files of any size', at: 'POST /api/profile/upload', tests: ['UNBOUNDED_*'] },
    {
      name: '0xa5: users deleted by others',
      at: 'DELETE /api/user/{username}',
      tests: ['BOLA_DELETE', 'BFLA_*'],
    },
    { name: '0xa6: server-side request forgery', at: 'POST /api/addNoteWithLink', tests: ['SSRF_*'] },
    { name: '0xa7: stack traces', at: '*', tests: ['STACK_TRACE_*'] },
    {
      name: '0xa8: tickets without a limit',
      at: 'POST /api/addTicket',
      tests: ['UNBOUNDED_*'],
    },
    { name: '0xaa: NoSQL injection', at: 'POST /api/login', tests: ['NOSQLI_*'] },
  ],
  judged: [
    {
      test: 'BOLA_READ',
      at: 'GET /api/user/{}',
      verdict: 'false',
      why: 'The fifth challenge says that users see the profiles of others; secrets are left out of the answer.',
    },
    { test: 'NOSNIFF_MISSING', at: '*', verdict: 'true', why: 'No x-content-type-options in the answers.' },
    {
      test: 'SESSION_COOKIE_NOT_HTTPONLY',
      at: 'POST /api/login',
      verdict: 'true',
      why: 'auth.js sets the cookie with httpOnly: false.',
    },
    { test: 'LOGIN_BRUTE_FORCE', at: 'POST /api/login', verdict: 'true', why: 'auth.js counts no attempts.' },
  ],
}

/** Of its `routes/routes.js`. */
const ROUTES = [
  'POST /api/login',
  'POST /api/register',
  'GET /api/profile',
  'POST /api/profile',
  'POST /api/addNote',
  'GET /api/getNote',
  'GET /api/scores',
  'POST /api/profile/upload',
  'POST /api/addNoteWithLink',
  'POST /api/allChallenges',
  'GET /api/getSolves',
  'POST /api/flag/submit',
  'POST /api/addTicket',
  'POST /api/getTicket',
  'GET /api/user/{username}',
  'DELETE /api/user/{username}',
]

async function start({ programs, data, port }: Place): Promise<Running> {
  const sources = nodeSources(
    programs,
    `dvapi-${COMMIT}`,
    { repository: 'https://github.com/payatu/DVAPI', commit: COMMIT },
    [],
    'src',
  )
  const mongo = await startMongo(programs, data)
  const folder = join(data, 'dvapi')
  cpSync(join(sources, 'src'), folder, { recursive: true })
  replaceIn(join(folder, 'models/db.js'), 'mongodb://mongodb:27017', mongo.address)
  replaceIn(join(folder, 'index.js'), "'0.0.0.0'", "'127.0.0.1'")
  replaceIn(join(folder, 'index.js'), 'const port = 3000', `const port = ${port}`)
  const origin = `http://127.0.0.1:${port}`
  const program = await startProgram({
    command: process.execPath,
    args: ['index.js'],
    folder,
    log: join(data, 'log'),
    ready: `${origin}/login`,
  })
  const stop = async (): Promise<void> => {
    await program.stop()
    await mongo.stop()
  }
  return { origin, database: sqliteDatabase(join(mongo.folder, 'dvapi.sqlite')), stop }
}

/** Its addresses are fixed, and open to other machines. */
function replaceIn(file: string, text: string, other: string): void {
  const source = readFileSync(file, 'utf8')
  if (!source.includes(text)) throw new Error(`${file} has no ${text}`)
  writeFileSync(file, source.replace(text, other))
}

const NAMES: Readonly<Record<Person, string>> = { owner: 'olga', attacker: 'otto', administrator: 'adele' }

const visitTo =
  (origin: string): Visit =>
  async (client, person) => {
    const username = NAMES[person]
    const account = { username, password: `${username}-Passw0rd-1` }
    await client.call('POST', '/api/register', account)
    const { headers } = await client.call('POST', '/api/login', account)
    client.headers = { authorization: headers.get('authorization') ?? '' }
    await useProfile(client, username, origin)
    await useChallenges(client, username)
    await deleteOwnAccount(client, username)
  }

async function useProfile(client: RecordingClient, username: string, origin: string): Promise<void> {
  await client.call('GET', '/api/profile')
  await client.call('POST', '/api/addNote', { note: `what only ${username} knows` })
  await client.call('GET', `/api/getNote?username=${username}`)
  await client.call('POST', '/api/addNoteWithLink', { url: `${origin}/login` })
  await client.call('POST', '/api/addNote', { note: `the second secret of ${username}` })
  const picture = [
    '--part',
    'content-disposition: form-data; name="file"; filename="me.png"',
    'content-type: image/png',
    '',
    `a picture of ${username}`,
    '--part--',
    '',
  ].join('\r\n')
  await client.call('POST', '/api/profile/upload', picture, 'multipart/form-data; boundary=part')
}

async function useChallenges(client: RecordingClient, username: string): Promise<void> {
  await client.call('POST', '/api/allChallenges', { released: 1 })
  await client.call('GET', '/api/getSolves')
  await client.call('GET', '/api/scores')
  await client.call('GET', `/api/user/${username}`)
  const { text } = await client.call('POST', '/api/addTicket', { message: `${username} needs help` })
  const [ticketno] = /\d{6}/.exec(text) ?? ['']
  await client.call('POST', '/api/getTicket', { ticketno })
  await client.call('POST', '/api/flag/submit', { flag: 'flag{a-guess}', challengeNo: 3 })
}

/** Of a second account, made for it. */
async function deleteOwnAccount(client: RecordingClient, username: string): Promise<void> {
  const second = `${username}-second`
  const { headers } = client
  client.headers = {}
  await client.call('POST', '/api/register', { username: second, password: `${second}-Passw0rd-1` })
  client.headers = headers
  await client.call('DELETE', `/api/user/${second}`)
}
