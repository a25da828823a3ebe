import type { RecordingClient } from '../../../test/recording-client.ts'
import { jsonOf } from '../record.ts'
import type { Target, Visit, Weakness } from '../target.ts'

const SQLI = ['SQLI_*']
const OTHERS = ['BOLA_*', 'MISSING_AUTHENTICATION']

/** "Implemented Vulnerabilities" of its README, where an API tester can reach them, at the routes of its sources. */
const WEAKNESSES: readonly Weakness[] = [
  { name: '1 SQL injection in the login', at: 'POST /login', tests: [...SQLI, 'NOSQLI_LOGIN_BYPASS'] },
  { name: '1 weak JWT implementation', at: '*', tests: ['JWT_*'] },
  { name: '1 mass assignment at the sign-up', at: 'POST /register', tests: ['MASS_ASSIGNMENT_*'] },
  { name: '1 guessable reset PIN', at: 'POST /api/v1/reset-password', tests: ['LOGIN_BRUTE_FORCE'] },
  { name: '2 passwords of all users', at: 'GET /debug/users', tests: ['MISSING_AUTHENTICATION*'] },
  { name: '2 SQL injection in the history', at: 'GET /transactions/{number}', tests: SQLI },
  { name: '3 negative amounts', at: 'POST /transfer', tests: ['NEGATIVE_QUANTITY'] },
  { name: '3 history of others', at: 'GET /transactions/{number}', tests: OTHERS },
  { name: '3 balance of others', at: 'GET /check_balance/{number}', tests: OTHERS },
  {
    name: '4 server-side request forgery',
    at: 'POST /upload_profile_picture_url',
    tests: ['SSRF_*'],
  },
  { name: '6 no rate limiting', at: 'POST /login', tests: ['LOGIN_BRUTE_FORCE'] },
  {
    name: '7 mass assignment in the card limit',
    at: 'POST /api/virtual-cards/{id}/update-limit',
    tests: ['MASS_ASSIGNMENT_*'],
  },
  {
    name: '7 limit of the card of others',
    at: 'POST /api/virtual-cards/{id}/update-limit',
    tests: OTHERS,
  },
  { name: '7 freezing cards of others', at: 'POST /api/virtual-cards/{id}/toggle-freeze', tests: OTHERS },
  {
    name: '7 transactions of cards of others',
    at: 'GET /api/virtual-cards/{id}/transactions',
    tests: OTHERS,
  },
  { name: '7 SQL injection in the card type', at: 'POST /api/virtual-cards/create', tests: SQLI },
]

/** Vulnerable Bank; needs PostgreSQL. */
export const vulnBank: Target = {
  name: 'vuln-bank',
  sound: false,
  make: 'Python, Flask, server-rendered and REST',
  source: 'github.com/Commando-X/vuln-bank 5e5ea54',
  prepare: (origin) => Promise.resolve(visitAs(origin, Date.now().toString(36))),
  routes: () => Promise.resolve([]),
  volatile: [],
  weaknesses: WEAKNESSES,
  judged: [],
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

async function bank(client: RecordingClient, origin: string, username: string): Promise<void> {
  const password = `${username}-Passw0rd-1`
  await client.call('POST', '/register', { username, password })
  const account = await signIn(client, username, password)
  await client.call('GET', `/check_balance/${account}`)
  await client.call('POST', '/transfer', { to_account: 'ADMIN001', amount: 5, description: 'rent' })
  await client.call('GET', `/transactions/${account}`)
  await client.call('POST', '/update_bio', { bio: `I am ${username}` })
  await client.call('POST', '/request_loan', { amount: 100 })
  const { card_details: card } = jsonOf<{ card_details: { id: number } }>(
    await client.call('POST', '/api/virtual-cards/create', { card_limit: 500, card_type: 'standard' }),
  )
  await client.call('GET', '/api/virtual-cards')
  await client.call('POST', `/api/virtual-cards/${card.id}/update-limit`, { card_limit: 600 })
  await client.call('POST', `/api/virtual-cards/${card.id}/toggle-freeze`)
  await client.call('POST', `/api/virtual-cards/${card.id}/toggle-freeze`)
  await client.call('GET', `/api/virtual-cards/${card.id}/transactions`)
  await client.call('GET', '/api/bill-categories')
  await client.call('GET', '/api/billers/by-category/1')
  await client.call('GET', '/api/bill-payments/history')
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
