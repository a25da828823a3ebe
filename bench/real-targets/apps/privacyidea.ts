import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { ask } from '../api.ts'
import { pythonPackages } from '../install.ts'
import { runCommand, startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { sqliteDatabase } from '../snapshot.ts'
import type { Place, Running, Target, Visit } from '../target.ts'
import { privacyideaUi } from './privacyidea-ui.ts'

const VERSION = '3.14'
const ADMIN = { username: 'admin', password: 'Admin-Passw0rd-1' }
const SERVE = `
import sys
from waitress import serve
from privacyidea.app import create_app
application = create_app(config_name='production', config_file=sys.argv[2], silent=True)
serve(application, host='127.0.0.1', port=int(sys.argv[1]), threads=4, ident='')
`
/** Where the application looks for users: a table that it may write. */
const PEOPLE = 'people.sqlite'
const RESOLVER = 'people'
const REALM = 'house'
const COLUMNS = ['username', 'givenname', 'surname', 'email', 'phone', 'mobile', 'password']

/** privacyIDEA: people keep the tokens of their second factor, and an administrator keeps those of all. */
export const privacyidea: Target = {
  name: 'privacyidea',
  sound: true,
  make: 'Python, Flask, REST, single page',
  source: `PyPI privacyidea==${VERSION}`,
  start,
  prepare,
  routes: () => Promise.resolve(privacyideaUi),
  // What was asked for, by whom and when.
  volatile: [
    'pidea_audit',
    'authentication_log',
    'metric_aggregate',
    'clientapplication',
    'nodename',
    'usercache',
    'authcache',
  ],
  crawl: { start: '/', ...ADMIN, ui: privacyideaUi },
  weaknesses: [],
  judged: [],
}

async function start({ programs, data, port }: Place): Promise<Running> {
  const bin = pythonPackages(programs, `privacyidea-${VERSION}`, [
    `privacyidea==${VERSION}`,
    'waitress==3.0.2',
  ])
  const file = join(data, 'pi.sqlite')
  const config = join(data, 'pi.cfg')
  const settings = {
    SECRET_KEY: 'a secret of this run',
    PI_PEPPER: 'a pepper of this run',
    PI_ENCFILE: join(data, 'enckey'),
    PI_AUDIT_KEY_PRIVATE: join(data, 'private.pem'),
    PI_AUDIT_KEY_PUBLIC: join(data, 'public.pem'),
    PI_LOGFILE: join(data, 'privacyidea.log'),
    SQLALCHEMY_DATABASE_URI: `sqlite:///${file}`,
  }
  writeFileSync(
    config,
    Object.entries(settings)
      .map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
      .join(''),
  )
  const people = new DatabaseSync(join(data, PEOPLE))
  people.exec(
    `CREATE TABLE people (id INTEGER PRIMARY KEY, ${COLUMNS.map((name) => `${name} TEXT`).join(', ')})`,
  )
  people.close()
  const env = { PRIVACYIDEA_CONFIGFILE: config }
  const program = { folder: data, env, log: join(data, 'log') }
  for (const args of [
    ['setup', 'create_enckey'],
    ['setup', 'create_audit_keys'],
    ['setup', 'create_tables'],
    ['admin', 'add', ADMIN.username, '--password', ADMIN.password],
  ])
    await runCommand({ ...program, command: join(bin, 'pi-manage'), args })
  const origin = `http://127.0.0.1:${port}`
  const { stop } = await startProgram({
    ...program,
    command: join(bin, 'python'),
    args: ['-c', SERVE, String(port), config],
    ready: `${origin}/config`,
  })
  return { origin, database: sqliteDatabase(file), stop }
}

interface Answer<T> {
  readonly result: { readonly value: T }
}

async function prepare(origin: string): Promise<Visit> {
  const { result } = await ask<Answer<{ token: string }>>('POST', `${origin}/auth`, {}, ADMIN)
  const admin = { authorization: result.value.token }
  await ask('POST', `${origin}/resolver/${RESOLVER}`, admin, {
    type: 'sqlresolver',
    Driver: 'sqlite',
    // Below the folder that it was started in.
    Server: '/./',
    Database: PEOPLE,
    Table: 'people',
    Limit: '500',
    Editable: '1',
    Password_Hash_Type: 'SSHA256',
    Map: JSON.stringify({ userid: 'id', ...Object.fromEntries(COLUMNS.map((name) => [name, name])) }),
  })
  await ask('POST', `${origin}/realm/${REALM}`, admin, { resolvers: RESOLVER })
  await ask('POST', `${origin}/defaultrealm/${REALM}`, admin, {})
  for (const user of ['olga', 'otto', 'petra'])
    await ask('POST', `${origin}/user/`, admin, {
      user,
      resolver: RESOLVER,
      password: passwordOf(user),
      givenname: user,
      surname: 'Keller',
      email: `${user}@house.example.com`,
    })
  return (client, person) => {
    if (person === 'administrator') return manage(client)
    return keepTokens(client, person === 'owner' ? 'olga' : 'otto')
  }
}

function passwordOf(name: string): string {
  return `${name}-Passw0rd-1`
}

async function signIn(client: RecordingClient, username: string, password: string): Promise<void> {
  const { result } = jsonOf<Answer<{ token: string }>>(
    await client.call('POST', '/auth', { username, password }),
  )
  client.headers = { authorization: result.value.token }
  await client.call('GET', '/auth/rights')
}

async function enroll(client: RecordingClient, body: Readonly<Record<string, unknown>>): Promise<string> {
  const { detail } = jsonOf<{ detail: { serial: string } }>(
    await client.call('POST', '/token/init', { type: 'hotp', genkey: true, ...body }),
  )
  return detail.serial
}

/** Somebody's own tokens and the container that holds them. */
async function keepTokens(client: RecordingClient, name: string): Promise<void> {
  await signIn(client, name, passwordOf(name))
  for (const what of ['telephone', 'key ring', 'old']) {
    const serial = await enroll(client, { pin: '1234', description: `${what} of ${name}` })
    await client.call('GET', `/token/?serial=${serial}`)
    await client.call('POST', `/token/description/${serial}`, { description: `The ${what} of ${name}` })
    await client.call('POST', '/token/setpin', { serial, otppin: '4321' })
    await client.call('POST', '/token/disable', { serial })
    if (what === 'old') await client.call('DELETE', `/token/${serial}`)
    else await client.call('POST', '/token/enable', { serial })
  }
  const made = jsonOf<Answer<{ container_serial: string }>>(
    await client.call('POST', '/container/init', { type: 'generic', description: `Pocket of ${name}` }),
  )
  const container = made.result.value.container_serial
  await client.call('GET', `/container/?container_serial=${container}`)
  await client.call('POST', `/container/${container}/description`, { description: `Bag of ${name}` })
  await client.call('GET', '/token/?page=1&pagesize=10')
  await client.call('GET', '/audit/?page=1&page_size=10')
}

async function manage(client: RecordingClient): Promise<void> {
  await signIn(client, ADMIN.username, ADMIN.password)
  for (const what of [
    'token',
    'container',
    'user',
    'policy',
    'event',
    'resolver',
    'realm',
    'system',
    'audit',
  ])
    await client.call('GET', `/${what}/`)
  await client.call('GET', '/policy/defs')
  for (const user of ['petra', 'olga']) {
    const serial = await enroll(client, { user, realm: REALM, pin: '1234' })
    await client.call('POST', '/token/reset', { serial })
    if (user === 'olga') await client.call('DELETE', `/token/${serial}`)
  }
  await client.call('POST', '/policy/quiet', { scope: 'user', action: 'disable', active: false })
  await client.call('POST', '/policy/enable/quiet', {})
  await client.call('DELETE', '/policy/quiet')
  await client.call('POST', '/smtpserver/post', {
    server: '127.0.0.1',
    port: 2525,
    sender: 'a@house.example.com',
  })
  await client.call('GET', '/smtpserver/')
}
