import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../../scripts/postgres.ts'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { pythonSources } from '../install.ts'
import { operationsOf } from '../operations.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { runningOn } from '../running-on.ts'
import type { Place, Running, Target, Visit, Weakness } from '../target.ts'

const COMMIT = '5e5ea54'

const SQLI = ['SQLI_*']
const OTHERS = ['BOLA_*', 'MISSING_AUTHENTICATION', 'MISSING_AUTHENTICATION_OUTLIER']
const CARD = '/api/virtual-cards/{id}'
/** Where its sources put `card_number` into the answer. */
const SHOW_CARDS = [
  'GET /api/virtual-cards',
  'GET /api/virtual-cards/{}/transactions',
  'GET /api/bill-payments/history',
  'GET /api/v1/payments',
  'GET /api/v1/payments/{}',
  'GET /api/v1/payments/merchant_id/{}',
  'POST /api/v1/payments/charge',
  'POST /api/virtual-cards/create',
]

/**
 * "Implemented Vulnerabilities" of its README, where an API tester can reach them, at the routes of its sources. Left
 * out: uploads of files, races, what runs in browsers, and its assistant, which needs a key of a language model.
 */
const WEAKNESSES: readonly Weakness[] = [
  { name: '1 SQL injection in the login', at: 'POST /login', tests: [...SQLI, 'NOSQLI_LOGIN_BYPASS'] },
  { name: '1 weak JWT implementation', at: '*', tests: ['JWT_*'] },
  { name: '1 mass assignment at the sign-up', at: 'POST /register', tests: ['MASS_ASSIGNMENT_*'] },
  { name: '1 guessable reset PIN', at: 'POST /api/v1/reset-password', tests: ['LOGIN_BRUTE_FORCE'] },
  { name: '1 profile of others', at: 'GET /api/v3/user/{id}', tests: OTHERS },
  { name: '2 passwords of all users', at: 'GET /debug/users', tests: ['MISSING_AUTHENTICATION*'] },
  { name: '2 debugger left on', at: '*', tests: ['EXPOSED_WERKZEUG_CONSOLE', 'STACK_TRACE_*'] },
  { name: '2 SQL injection in the history', at: 'GET /transactions/{number}', tests: SQLI },
  { name: '2 SQL injection in the transactions', at: 'GET /api/transactions', tests: SQLI },
  { name: '2 SQL injection in the balance', at: 'GET /check_balance/{number}', tests: SQLI },
  { name: '2 SQL injection in the reset', at: 'POST /api/v1/forgot-password', tests: SQLI },
  { name: '3 negative amounts', at: 'POST /transfer', tests: ['NEGATIVE_*'] },
  { name: '3 history of others', at: 'GET /transactions/{number}', tests: OTHERS },
  { name: '3 balance of others', at: 'GET /check_balance/{number}', tests: OTHERS },
  { name: '3 transactions of others', at: 'GET /api/transactions', tests: OTHERS },
  { name: '4 server-side request forgery', at: 'POST /upload_profile_picture_url', tests: ['SSRF_*'] },
  { name: '6 no rate limiting', at: 'POST /login', tests: ['LOGIN_BRUTE_FORCE'] },
  {
    name: '7 mass assignment in the card limit',
    at: `POST ${CARD}/update-limit`,
    tests: ['MASS_ASSIGNMENT_*'],
  },
  { name: '7 exchange rate of the client', at: `POST ${CARD}/fund`, tests: ['MASS_ASSIGNMENT_*', 'PRICE_*'] },
  { name: '7 limit of the card of others', at: `POST ${CARD}/update-limit`, tests: OTHERS },
  { name: '7 freezing cards of others', at: `POST ${CARD}/toggle-freeze`, tests: OTHERS },
  { name: '7 transactions of cards of others', at: `GET ${CARD}/transactions`, tests: OTHERS },
  { name: '7 SQL injection in the card type', at: 'POST /api/virtual-cards/create', tests: SQLI },
  { name: '8 no validation on payment amounts', at: 'POST /api/bill-payments/create', tests: ['NEGATIVE_*'] },
  { name: '8 SQL injection in biller queries', at: 'POST /api/bill-payments/create', tests: SQLI },
  { name: '8 paying with the card of others', at: 'POST /api/bill-payments/create', tests: OTHERS },
  { name: '9 SQL injection in merchants', at: 'POST /api/v1/merchants/login', tests: SQLI },
  { name: '9 payments of other merchants', at: 'GET /api/v1/payments/merchant_id/{id}', tests: OTHERS },
  { name: '11 GraphQL introspection', at: '*', tests: ['GRAPHQL_INTROSPECTION_ENABLED'] },
]

/** Vulnerable Bank; without the key of a language model its assistant answers from a table. */
export const vulnBank: Target = {
  name: 'vuln-bank',
  sound: false,
  make: 'Python, Flask, server-rendered and REST',
  source: `github.com/Commando-X/vuln-bank ${COMMIT}`,
  start,
  prepare: (origin) => Promise.resolve(visitAs(origin, Date.now().toString(36))),
  routes: async (origin) => operationsOf(await (await fetch(`${origin}/static/openapi.json`)).json()),
  volatile: [],
  weaknesses: WEAKNESSES,
  judged: [
    {
      test: 'PASSWORD_IN_RESPONSE',
      at: 'GET /debug/users',
      verdict: 'true',
      why: 'app.py selects the passwords of all users as they are stored, in plain text, and answers anybody.',
    },
    {
      test: 'VERSION_DISCLOSURE_SERVER',
      at: '*',
      verdict: 'true',
      why: 'Werkzeug and Python with their versions in every answer.',
    },
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'No x-content-type-options in the answers.',
    },
    {
      test: 'SQLI_*',
      at: 'POST /*',
      verdict: 'true',
      why: 'The statements of create_admin and of the sign-up of merchants are put together as texts.',
    },
    {
      test: 'NEGATIVE_AMOUNT',
      at: 'POST /request_loan',
      verdict: 'true',
      why: 'request_loan stores any amount.',
    },
    {
      test: 'PRICE_MANIPULATION',
      at: 'POST /api/bill-payments/create',
      verdict: 'false',
      why: 'Who pays names the amount; the history of payments only repeats it.',
    },
    ...SHOW_CARDS.map((at) => ({
      test: 'CARD_NUMBER_IN_RESPONSE',
      at,
      verdict: 'true' as const,
      why: 'Whole card numbers. They are random digits: only about one in ten has the check digit of a card.',
    })),
    {
      test: 'BOLA_CREATE',
      at: 'POST /api/virtual-cards/{}/fund',
      verdict: 'true',
      why: 'fund_virtual_card compares no user with the owner of the card.',
    },
    {
      test: 'BOLA_CREATE',
      at: 'POST /api/v1/payments/charge',
      verdict: 'false',
      why: 'Any merchant may charge a card whose number, secret code and date it knows.',
    },
    {
      test: 'NEGATIVE_AMOUNT',
      at: 'POST /api/v1/payments/charge',
      verdict: 'true',
      why: 'charge_card refuses only amounts above the balance, and adds a negative one to it.',
    },
    {
      test: 'PRICE_MANIPULATION',
      at: 'POST /api/v1/payments/charge',
      verdict: 'false',
      why: 'Who sells names the amount; the history of payments only repeats it.',
    },
    {
      test: 'LOGIN_BRUTE_FORCE',
      at: 'POST /api/v1/merchants/login',
      verdict: 'true',
      why: 'It counts no attempts.',
    },
    {
      test: 'MISSING_AUTHENTICATION',
      at: 'GET /api/billers/by-category/{}',
      verdict: 'debatable',
      why: 'A list of companies to pay, with their account numbers.',
    },
    {
      test: 'UNBOUNDED_TEXT_LENGTH',
      at: '*',
      verdict: 'true',
      why: 'Its texts have no length.',
    },
    {
      test: 'GRAPHQL_ALIAS_OVERLOADING',
      at: '*',
      verdict: 'true',
      why: 'The schema is executed without a limit.',
    },
  ],
}

// As its own main program, on this machine only and without the process that starts it again when sources change.
const MAIN = `
import sys
import app
app.init_db()
app.app.run(host='127.0.0.1', port=int(sys.argv[1]), debug=True, use_reloader=False)
`

async function start({ programs, data, port }: Place): Promise<Running> {
  const { sources, bin } = pythonSources(programs, `vuln-bank-${COMMIT}`, {
    repository: 'https://github.com/Commando-X/vuln-bank',
    commit: COMMIT,
  })
  const folder = join(data, 'vuln-bank')
  cpSync(sources, folder, { recursive: true })
  const postgres = await startPostgres(data)
  if (postgres === null) throw new Error('vuln-bank needs the programs of a PostgreSQL server')
  const { port: databasePort, pathname, username } = new URL(postgres.url)
  const origin = `http://127.0.0.1:${port}`
  const started = await startProgram({
    command: join(bin, 'python'),
    args: ['-c', MAIN, String(port)],
    folder,
    env: {
      DB_HOST: '127.0.0.1',
      DB_PORT: databasePort,
      DB_NAME: pathname.slice(1),
      DB_USER: username,
    },
    log: join(data, 'log'),
    ready: `${origin}/healthz`,
  })
  return runningOn(postgres, origin, started)
}

function visitAs(origin: string, suffix: string): Visit {
  return (client, person) => {
    if (person === 'administrator') return manage(client, suffix)
    return bank(client, origin, `${person === 'owner' ? 'olga' : 'otto'}${suffix}`)
  }
}

async function signIn(client: RecordingClient, username: string, password: string): Promise<string> {
  const answer = await client.call('POST', '/login', { username, password })
  const { token, accountNumber } = jsonOf<{ token: string; accountNumber: string }>(answer)
  client.headers = { authorization: `Bearer ${token}` }
  return accountNumber
}

/** Sums are small, so that the tests that repeat these requests do not use up the account. */
async function bank(client: RecordingClient, origin: string, username: string): Promise<void> {
  const password = `${username}-Passw0rd-1`
  const { debug_data: user } = jsonOf<{ debug_data: { user_id: number } }>(
    await client.call('POST', '/register', { username, password }),
  )
  const account = await signIn(client, username, password)
  await client.call('GET', `/api/v3/user/${user.user_id}`)
  await client.call('GET', `/check_balance/${account}`)
  await client.call('POST', '/transfer', { to_account: 'ADMIN001', amount: 1, description: 'rent' })
  await client.call('GET', `/transactions/${account}`)
  await client.call('GET', `/api/transactions?account_number=${account}`)
  await client.call('POST', '/update_bio', { bio: `I am ${username}` })
  await client.call('POST', '/request_loan', { amount: 100 })
  const makeCard = async (): Promise<Card> =>
    jsonOf<{ card_details: Card }>(
      await client.call('POST', '/api/virtual-cards/create', { card_limit: 500, card_type: 'standard' }),
    ).card_details
  // Nobody pays with a card that was lost and found.
  const [{ id: card, ...details }, { id: lost }] = [await makeCard(), await makeCard()]
  await client.call('GET', '/api/virtual-cards')
  await client.call('POST', `/api/virtual-cards/${card}/update-limit`, { card_limit: 600 })
  await client.call('POST', `/api/virtual-cards/${lost}/toggle-freeze`)
  await client.call('POST', `/api/virtual-cards/${lost}/toggle-freeze`)
  await client.call('POST', `/api/virtual-cards/${card}/fund`, { amount: 20 })
  await client.call('GET', `/api/virtual-cards/${card}/transactions`)
  await client.call('GET', '/api/bill-categories')
  await client.call('GET', '/api/billers/by-category/1')
  await client.call('POST', '/api/bill-payments/create', {
    biller_id: 1,
    amount: 2,
    payment_method: 'virtual_card',
    card_id: card,
    description: `bill of ${username}`,
  })
  await client.call('GET', '/api/bill-payments/history')
  await client.call('POST', '/graphql', {
    query: 'query Summary($limit: Int!) { transactionSummary(limit: $limit) { accountNumber totalVolume } }',
    variables: { limit: 5 },
  })
  await client.call('POST', '/upload_profile_picture_url', {
    image_url: `${origin}/static/openapi.json`,
  })
  const forgotten = await client.call('POST', '/api/v1/forgot-password', { username })
  const { debug_info: debug } = jsonOf<{ debug_info: { pin: string } }>(forgotten)
  await client.call('POST', '/api/v1/reset-password', {
    username,
    reset_pin: debug.pin,
    new_password: password,
  })
  await sell(client, username, details)
}

interface Card {
  readonly id: number
  readonly card_number: string
  readonly cvv: string
  readonly expiry_date: string
}

/** A user may be a merchant, too, with other credentials. */
async function sell(client: RecordingClient, username: string, card: Omit<Card, 'id'>): Promise<void> {
  const { headers } = client
  const merchant = { email: `${username}@shops.example.com`, password: `${username}-Sells-1` }
  client.headers = {}
  await client.call('POST', '/api/v1/merchants/register', { name: `Shop of ${username}`, ...merchant })
  const { token, merchant: own } = jsonOf<{ token: string; merchant: { id: number } }>(
    await client.call('POST', '/api/v1/merchants/login', merchant),
  )
  client.headers = { authorization: `Bearer ${token}` }
  await client.call('GET', '/api/v1/merchants/me')
  const { card_number, cvv, expiry_date } = card
  for (const amount of [1, 2, 3, 4, 5])
    await client.call('POST', '/api/v1/payments/charge', {
      amount,
      currency: 'USD',
      card_number,
      cvv,
      expiry_date,
      merchant_order_id: `order-${amount}-of-${username}`,
    })
  await client.call('GET', `/api/v1/payments/merchant_id/${own.id}`)
  client.headers = headers
}

async function manage(client: RecordingClient, suffix: string): Promise<void> {
  await signIn(client, 'admin', 'admin123')
  await client.call('GET', '/debug/users')
  await client.call('GET', '/sup3r_s3cr3t_admin')
  await client.call('POST', '/admin/create_admin', {
    username: `chief${suffix}`,
    password: 'Chief-Passw0rd-1',
  })
}
