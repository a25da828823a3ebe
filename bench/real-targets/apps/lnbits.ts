import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { ask } from '../api.ts'
import { pythonModules, pythonPackages } from '../install.ts'
import { operationsOf } from '../operations.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { sqliteDatabase } from '../snapshot.ts'
import type { Place, Running, Target, Visit } from '../target.ts'

const VERSION = '1.6.2'
const ADMIN = 'banker'
const USERS = ['olga', 'otto', 'petra', 'leaver']

/**
 * LNbits: accounts with wallets. The account is proven by a JSON Web Token, and each wallet by its key. Payments go
 * from wallet to wallet of the same installation, whose source of money is a fake one.
 */
export const lnbits: Target = {
  name: 'lnbits',
  sound: true,
  make: 'Python, FastAPI, REST, single page',
  source: `PyPI lnbits==${VERSION}`,
  start,
  prepare,
  routes: async (origin) => operationsOf(await (await fetch(`${origin}/openapi.json`)).json()),
  // What was asked for, and times of a last change.
  volatile: ['audit', 'accounts.updated_at', 'wallets.updated_at', 'apipayments.updated_at', 'dbversions'],
  weaknesses: [],
  judged: [
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'Answers have no X-Content-Type-Options.',
    },
    {
      test: 'PRIVATE_KEY_IN_RESPONSE',
      at: 'GET /admin/api/v1/settings',
      verdict: 'debatable',
      why: 'The settings show the private key of web push to administrators, who may set it.',
    },
  ],
}

async function start({ programs, data, port }: Place): Promise<Running> {
  const bin = pythonPackages(programs, `lnbits-${VERSION}`, [`lnbits==${VERSION}`, 'bitstring<5'])
  const folder = join(data, 'lnbits')
  mkdirSync(folder)
  const origin = `http://127.0.0.1:${port}`
  const { stop } = await startProgram({
    command: join(bin, 'python'),
    args: ['-c', 'from lnbits.server import main; main()', '--host', '127.0.0.1', '--port', String(port)],
    // It looks for its pages there.
    folder: pythonModules(bin),
    env: {
      LNBITS_DATA_FOLDER: folder,
      LNBITS_EXTENSIONS_PATH: folder,
      LNBITS_BACKEND_WALLET_CLASS: 'FakeWallet',
      FAKE_WALLET_SECRET: 'money of this run',
      AUTH_HTTPS_ONLY: 'false',
      // The recorded use is faster than people are.
      LNBITS_RATE_LIMIT_NO: '100000',
    },
    log: join(data, 'log'),
    ready: `${origin}/api/v1/health`,
  })
  return { origin, database: sqliteDatabase(join(folder, 'database.sqlite3')), stop }
}

function passwordOf(name: string): string {
  return `${name}-Passw0rd-1`
}

function accountOf(username: string): Record<string, string> {
  const password = passwordOf(username)
  return { username, password, password_repeat: password }
}

interface Wallet {
  readonly id: string
  readonly user: string
  readonly adminkey: string
}

async function prepare(origin: string): Promise<Visit> {
  const { access_token } = await ask<{ access_token: string }>(
    'PUT',
    `${origin}/api/v1/auth/first_install`,
    {},
    accountOf(ADMIN),
  )
  const admin = { authorization: `Bearer ${access_token}` }
  const keys: Record<string, string> = {}
  for (const name of USERS) {
    await ask('POST', `${origin}/users/api/v1/user`, admin, accountOf(name))
    const token = await ask<{ access_token: string }>(
      'POST',
      `${origin}/api/v1/auth`,
      {},
      credentialsOf(name),
    )
    const own = { authorization: `Bearer ${token.access_token}` }
    const wallet = await ask<Wallet>('POST', `${origin}/api/v1/wallet`, own, { name: `${name}'s purse` })
    await ask('PUT', `${origin}/users/api/v1/balance`, admin, { id: wallet.id, amount: 5000 })
    keys[name] = wallet.adminkey
  }
  return async (client, person) => {
    if (person === 'administrator') return manage(client)
    const name = person === 'owner' ? 'olga' : 'otto'
    const purse = await openAccount(client, name)
    await keepWallets(client, name)
    await pay(client, name, { purse, petra: keys['petra']!, origin })
  }
}

function credentialsOf(username: string): Record<string, string> {
  return { username, password: passwordOf(username) }
}

async function signIn(client: RecordingClient, name: string): Promise<void> {
  const { access_token } = jsonOf<{ access_token: string }>(
    await client.call('POST', '/api/v1/auth', credentialsOf(name)),
  )
  client.headers = { authorization: `Bearer ${access_token}` }
}

/** Signs in and looks at the account; from then on the key of the wallet is sent as well. */
async function openAccount(client: RecordingClient, name: string): Promise<Wallet> {
  await signIn(client, name)
  const me = jsonOf<{ id: string; extra: object }>(await client.call('GET', '/api/v1/auth'))
  await client.call('PATCH', '/api/v1/auth', {
    user_id: me.id,
    username: name,
    extra: { ...me.extra, first_name: name, display_name: `${name} the trader` },
  })
  const wallets = jsonOf<(Wallet & { name: string })[]>(await client.call('GET', '/api/v1/wallets'))
  const purse = wallets.find((wallet) => wallet.name.includes('purse'))!
  client.headers = { ...client.headers, 'x-api-key': purse.adminkey }
  await client.call('GET', '/api/v1/wallet')
  await client.call('GET', '/api/v1/wallet/paginated?limit=10&offset=0')
  await client.call('GET', '/api/v1/currencies')
  await client.call('GET', '/api/v1/auth/acl')
  return purse
}

async function keepWallets(client: RecordingClient, name: string): Promise<void> {
  for (const what of ['savings', 'travel', 'old']) {
    const { id } = jsonOf<Wallet>(await client.call('POST', '/api/v1/wallet', { name: `${what} of ${name}` }))
    if (what !== 'savings') await client.call('PUT', `/api/v1/wallet/reset/${id}`)
    if (what === 'old') await client.call('DELETE', `/api/v1/wallet/${id}`)
  }
  await client.call('PATCH', '/api/v1/wallet', { name: `${name}'s purse`, color: 'green', pinned: true })
}

/** Invoices, payments to Petra and what is noted about them. */
async function pay(
  client: RecordingClient,
  name: string,
  { purse, petra, origin }: { purse: Wallet; petra: string; origin: string },
): Promise<void> {
  const payments = '/api/v1/payments'
  for (const [at, what] of ['a lamp', 'a chair', 'a table'].entries()) {
    const made = jsonOf<{ payment_hash: string; bolt11: string }>(
      await client.call('POST', payments, { out: false, amount: 21 + at, memo: `${name} sells ${what}` }),
    )
    await client.call('GET', `${payments}/${made.payment_hash}`)
    await client.call('POST', `${payments}/decode`, { data: made.bolt11 })
    const bill = await ask<{ bolt11: string }>(
      'POST',
      `${origin}${payments}`,
      { 'x-api-key': petra },
      { out: false, amount: 30 + at, memo: `Petra sells ${what} to ${name}` },
    )
    const paid = jsonOf<{ payment_hash: string }>(
      await client.call('POST', payments, { out: true, bolt11: bill.bolt11 }),
    )
    await client.call('GET', `${payments}/${paid.payment_hash}`)
    await client.call('PUT', `${payments}/${paid.payment_hash}/labels`, { labels: ['house'] })
  }
  await client.call('GET', `${payments}?limit=10`)
  await client.call('GET', `${payments}/paginated?limit=10&offset=0&sortby=time&direction=desc`)
  await client.call('GET', `${payments}/history?group=day`)
  await client.call('GET', `${payments}/stats/wallets`)
  await client.call('GET', `${payments}/fee-reserve?invoice=none`)
  const tiny = jsonOf<{ id: string }>(
    await client.call(
      'POST',
      `/api/v1/tinyurl?url=${encodeURIComponent(`https://shop.example.com/${name}`)}`,
    ),
  )
  await client.call('GET', `/api/v1/tinyurl/${tiny.id}`)
  await client.call('PUT', `/api/v1/wallet/stored_paylinks/${purse.id}`, {
    links: [{ lnurl: `${name}@pay.example.com`, label: 'Rent' }],
  })
  await client.call('GET', '/api/v1/assets/paginated?limit=10')
}

async function manage(client: RecordingClient): Promise<void> {
  await signIn(client, ADMIN)
  await client.call('GET', '/api/v1/auth')
  const users = '/users/api/v1/user'
  const { data } = jsonOf<{ data: { id: string; username: string | null }[] }>(
    await client.call('GET', `${users}?limit=20&offset=0`),
  )
  for (const { id } of data.filter(({ username }) => username === 'petra' || username === 'leaver')) {
    await client.call('GET', `${users}/${id}`)
    const [wallet] = jsonOf<Wallet[]>(await client.call('GET', `${users}/${id}/wallet`))
    await client.call('PUT', '/users/api/v1/balance', { id: wallet!.id, amount: 100 })
  }
  const made = jsonOf<{ id: string }>(await client.call('POST', users, accountOf('newcomer')))
  await client.call('POST', `${users}/${made.id}/wallet`, { name: 'First' })
  await client.call('DELETE', `${users}/${made.id}`)
  await client.call('GET', '/admin/api/v1/settings')
  await client.call('GET', '/admin/api/v1/audit')
  await client.call('PATCH', '/admin/api/v1/settings', { lnbits_site_title: 'The house bank' })
  await client.call('GET', '/audit/api/v1?limit=10')
  await client.call('GET', '/api/v1/payments/all/paginated?limit=10')
}
