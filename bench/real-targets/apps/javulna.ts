import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RecordedAnswer, RecordingClient } from '../../../test/recording-client.ts'
import { freePort } from '../../../test/server-process.ts'
import { ask, cookiesOf } from '../api.ts'
import { mavenArtifact, mavenSources } from '../install.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import type { Row, Snapshot } from '../snapshot.ts'
import type { Person, Place, Running, Target, Visit } from '../target.ts'

const COMMIT = '56f2102'
const LDAP = 'com.unboundid:unboundid-ldapsdk:6.0.5'
const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=part'

/** Javulna, whose users are all alike. Its data are in memory, and its directory is an LDAP server that starts with it. */
export const javulna: Target = {
  name: 'javulna',
  sound: false,
  make: 'Java, Spring Boot, REST with sessions, XML, LDAP',
  source: `github.com/edu-secmachine/javulna ${COMMIT}`,
  start,
  prepare,
  routes: () => Promise.resolve(ROUTES),
  volatile: [],
  state: stateOf,
  // Its exercises. Left out: the one on cross-site scripting, which is in another branch.
  weaknesses: [
    { name: 'exercise 1: SQL injection', at: 'GET /rest/movie', tests: ['SQLI_*'] },
    {
      name: 'exercise 3: the password of another user by XML injection',
      at: 'POST /rest/user/password',
      tests: ['XML_INJECTION*'],
    },
    {
      name: 'exercise 4: a price that overflows',
      at: 'PUT /rest/order',
      tests: ['*OVERFLOW*', 'NEGATIVE_*', 'PRICE_*'],
    },
    { name: 'exercise 5: any file is read', at: 'GET /downloadFile', tests: ['PATH_TRAVERSAL_*'] },
    {
      name: 'exercise 5: files of any kind and name',
      at: 'POST /uploadFile',
      tests: ['*UPLOAD*', 'PATH_TRAVERSAL_*'],
    },
    { name: 'exercise 6: a serialized cookie', at: '*', tests: ['*DESERIALI*'] },
    { name: 'exercise 7: XML external entities', at: 'POST /rest/moviexml', tests: ['XXE_*'] },
    { name: 'exercise 8: LDAP injection', at: 'GET /rest/ldap', tests: ['LDAP_INJECTION_*'] },
  ],
  judged: [
    {
      test: 'BOLA_*',
      at: 'POST /rest/user',
      verdict: 'true',
      why: 'UserService.modifyUser takes the identifier and the password of any user from the body.',
    },
    {
      test: 'LOGIN_BRUTE_FORCE',
      at: 'POST /login',
      verdict: 'true',
      why: 'WebSecurityConfig counts no attempts.',
    },
    {
      test: 'CREDENTIAL_IN_URL',
      at: 'GET /rest/ldap',
      verdict: 'true',
      why: 'The password of the directory is in the query.',
    },
    {
      test: 'SESSION_COOKIE_NOT_HTTPONLY',
      at: 'POST /login',
      verdict: 'true',
      why: 'The cookie with the serialized user, by which a filter checks who is signed in, has no HttpOnly.',
    },
  ],
}

const ROUTES = [
  'POST /login',
  'GET /logout',
  'GET /hello',
  'POST /uploadFile',
  'GET /downloadFile',
  'GET /rest/ldap',
  'GET /rest/messages/chatAll',
  'GET /rest/messages/chat',
  'PUT /rest/messages/chat',
  'POST /rest/movie',
  'GET /rest/movie',
  'POST /rest/moviexml',
  'GET /rest/movieobject',
  'PUT /rest/order',
  'POST /rest/user/password',
  'POST /rest/user',
  'PUT /rest/user',
  'GET /rest/user',
]

async function start({ programs, data, port }: Place): Promise<Running> {
  const jar = mavenSources(
    programs,
    `javulna-${COMMIT}`,
    { repository: 'https://github.com/edu-secmachine/javulna', commit: COMMIT },
    'javulna-1.0-SNAPSHOT.jar',
  )
  const directory = mavenArtifact(programs, 'unboundid-ldapsdk-6.0.5', LDAP)
  const users = join(dirname(dirname(jar)), 'doc', 'ldap.ldif')
  const ldap = await freePort()
  const folder = join(data, 'javulna')
  const files = join(folder, 'files')
  mkdirSync(files, { recursive: true })
  const origin = `http://127.0.0.1:${port}`
  const { stop } = await startProgram({
    command: 'sh',
    args: ['-c', PROGRAMS, directory, String(ldap), users, jar, String(port), files],
    folder,
    log: join(data, 'log'),
    ready: `${origin}/rest/movie`,
  })
  return { origin, database: { snapshot: () => stateOf(origin) }, stop }
}

const PROGRAMS = `
java -Djava.io.tmpdir="$5" -jar "$0" in-memory-directory-server --port "$1" --baseDN dc=jboss,dc=org --ldifFile "$2" \\
  --additionalBindDN uid=admin,ou=system --additionalBindPassword secret &
exec java -Djava.io.tmpdir="$5" -XX:TieredStopAtLevel=1 -jar "$3" --server.port="$4" --server.address=127.0.0.1 --javulna.filestore.dir="$5" \\
  --javulna.ldap.url=ldap://127.0.0.1:"$1"
`

/** Names, and who stands for them in the directory, which others fill. */
const NAMES: Readonly<Record<Person, readonly [name: string, uid: string, secret: string]>> = {
  owner: ['olivia', 'aladar', 'aradadal'],
  attacker: ['mallory', 'geza', 'mitmond'],
  administrator: ['ada', 'kriszta', 'tisztagyagya'],
}
const passwordOf = (person: Person): string => `Pass-of-${NAMES[person][0]}-2026`

const profileOf = (person: Person) => ({
  name: NAMES[person][0],
  sex: 'f',
  emailAddress: `${NAMES[person][0]}@films.example`,
  password: passwordOf(person),
  webPageUrl: `http://films.example/${NAMES[person][0]}`,
})

async function prepare(origin: string): Promise<Visit> {
  const ids: Partial<Record<Person, string>> = {}
  for (const person of ['owner', 'attacker', 'administrator'] as const)
    ids[person] = (await ask<{ id: string }>('PUT', `${origin}/rest/user`, {}, profileOf(person))).id
  return async (client, person) => {
    await client.call('GET', '/rest/movie')
    await signIn(client, person)
    await shop(client, person)
    await talk(client, person)
    await keepFiles(client, person)
    await changeOwn(client, person, ids[person]!)
  }
}

async function signIn(client: RecordingClient, person: Person): Promise<void> {
  const form = new URLSearchParams({ username: NAMES[person][0], password: passwordOf(person) })
  const answer = await client.call('POST', '/login', form.toString(), FORM)
  succeeded(answer)
  client.headers = { cookie: cookiesOf(answer) }
}

async function shop(client: RecordingClient, person: Person): Promise<void> {
  succeeded(await client.call('GET', '/rest/movie?title=Empire&description=Luke'))
  succeeded(await client.call('GET', '/rest/movie?genre=Action'))
  const title = `What ${NAMES[person][0]} saw`
  jsonOf(await client.call('POST', '/rest/movie', { title, description: 'At the sea', genre: 'drama' }))
  const movie = `<createMovie><title>${title} again</title><description>On a hill</description><genre>sci-fi</genre></createMovie>`
  jsonOf(await client.call('POST', '/rest/movie', movie, 'application/xml'))
  jsonOf(await client.call('POST', '/rest/moviexml', part('name="inputxml"', movie), MULTIPART))
  jsonOf(await client.call('GET', '/rest/movieobject'))
  const orderItems = [{ movieObjectId: '1', nrOfItemsOrdered: person === 'owner' ? 2 : 1 }]
  jsonOf(await client.call('PUT', '/rest/order', { orderItems }))
}

async function talk(client: RecordingClient, person: Person): Promise<void> {
  const other = NAMES[person === 'owner' ? 'administrator' : 'owner'][0]
  jsonOf(await client.call('GET', '/rest/user'))
  jsonOf(
    await client.call('PUT', '/rest/messages/chat', { toUser: other, text: `Regards, ${NAMES[person][0]}` }),
  )
  jsonOf(await client.call('GET', `/rest/messages/chat?otherUser=${other}`))
}

async function keepFiles(client: RecordingClient, person: Person): Promise<void> {
  const name = `${NAMES[person][0]}.txt`
  const file = part(`name="file"; filename="${name}"`, `Notes of ${NAMES[person][0]}`, 'text/plain')
  jsonOf(await client.call('POST', '/uploadFile', file, MULTIPART))
  succeeded(await client.call('GET', `/downloadFile?fileName=${name}`))
}

/** The password is changed twice, so that it stays. */
async function changeOwn(client: RecordingClient, person: Person, id: string): Promise<void> {
  const [name, uid, secret] = NAMES[person]
  jsonOf(await client.call('GET', `/rest/ldap?username=${uid}&password=${secret}`))
  succeeded(await client.call('POST', '/rest/user', { ...profileOf(person), id, motto: `By ${name}` }))
  const [first, second] = [passwordOf(person), `${passwordOf(person)}-next`]
  for (const [oldPassword, newPassword] of [
    [first, second],
    [second, first],
  ] as const) {
    const query = new URLSearchParams({ user: name, oldPassword, newPassword })
    succeeded(await client.call('POST', `/rest/user/password?${query}`))
  }
}

function part(disposition: string, content: string, type?: string): string {
  const kind = type === undefined ? '' : `Content-Type: ${type}\r\n`
  return `--part\r\nContent-Disposition: form-data; ${disposition}\r\n${kind}\r\n${content}\r\n--part--\r\n`
}

function succeeded({ status, text }: RecordedAnswer): void {
  if (status >= 400) throw new Error(`the target answered ${status}: ${text.slice(0, 300)}`)
}

/** Users, messages and movies, as it tells them to a user. */
async function stateOf(origin: string): Promise<Snapshot> {
  const form = new URLSearchParams({ username: 'Yoda', password: 'NoSecretsATrueJediHas' })
  const cookie = cookiesOf(await fetch(`${origin}/login`, { method: 'POST', body: form }))
  const tables = { user: '/rest/user', message: '/rest/messages/chatAll', movie: '/rest/movie' }
  const state = new Map<string, Map<string, Row>>()
  for (const [table, path] of Object.entries(tables)) {
    const rows = await ask<readonly Row[]>('GET', origin + path, { cookie })
    state.set(table, new Map(rows.map((row) => [String(row['id']), row])))
  }
  return state
}
