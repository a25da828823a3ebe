import type { RecordingClient } from '../../../test/recording-client.ts'
import { operationsOf } from '../operations.ts'
import { jsonOf } from '../record.ts'
import type { Target, Visit } from '../target.ts'

const FUNCTION = ['BFLA_ADMIN_*', 'BFLA_ROLE_MATRIX']

/** Damn Vulnerable RESTaurant; needs PostgreSQL. */
export const restaurant: Target = {
  name: 'restaurant',
  sound: false,
  make: 'Python, FastAPI, REST',
  source: 'github.com/theowni/Damn-Vulnerable-RESTaurant-API-Game ed67ab9',
  prepare,
  routes: async (origin) => operationsOf(await (await fetch(`${origin}/openapi.json`)).json()),
  volatile: [],
  // The levels of its game (tests/vulns) and of its walkthroughs.
  weaknesses: [
    {
      name: 'level 0: technology in a header',
      at: 'GET /healthcheck',
      tests: ['VERSION_DISCLOSURE_SERVER', 'VERSION_DISCLOSURE_FRAMEWORK'],
    },
    { name: 'level 1: dishes deleted by customers', at: 'DELETE /menu/{id}', tests: FUNCTION },
    {
      name: 'level 2: profile of others changed',
      at: 'PUT /profile',
      tests: ['BOLA_*', 'MASS_ASSIGNMENT_OWNER'],
    },
    {
      name: 'level 3: own role raised',
      at: 'PUT /users/update_role',
      tests: [...FUNCTION, 'MASS_ASSIGNMENT_*ROLE', 'BOLA_*'],
    },
    {
      name: 'level 4: server-side request forgery',
      at: 'PUT /menu',
      tests: ['SSRF_CALLBACK_BODY', 'SSRF_METADATA_*', 'SSRF_FILE_SCHEME_BODY'],
    },
    {
      name: 'level 5: remote command execution',
      at: 'GET /admin/stats/disk',
      tests: ['CMDI_QUERY'],
    },
    { name: 'order of another customer', at: 'GET /orders/{id}', tests: ['BOLA_READ'] },
    { name: 'mass assignment of the role', at: 'PATCH /profile', tests: ['MASS_ASSIGNMENT_*ROLE'] },
    { name: 'JWT signature not checked', at: '*', tests: ['JWT_*'] },
    {
      name: 'guessable code of the password reset',
      at: 'POST /reset-password/new-password',
      tests: ['LOGIN_BRUTE_FORCE'],
    },
    { name: 'no rate limit on sign-in', at: 'POST /token', tests: ['LOGIN_BRUTE_FORCE'] },
  ],
  judged: [
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'No x-content-type-options in the answers.',
    },
    { test: 'JWT_*', at: '*', verdict: 'true', why: 'jwt_auth.py checks no signature at all.' },
    {
      test: 'PRICE_MANIPULATION',
      at: 'PUT /menu*',
      verdict: 'false',
      why: 'Naming the price of a dish is what staff is there for.',
    },
    {
      test: 'MISSING_AUTHENTICATION',
      at: 'POST /reset-password*',
      verdict: 'false',
      why: 'Whoever forgot the password has no credentials; the answer says nothing of anybody.',
    },
    {
      test: 'HUGE_QUANTITY',
      at: 'POST /orders',
      verdict: 'debatable',
      why: 'No bound on the quantity; the order is charged in full.',
    },
    { test: 'UNBOUNDED_TEXT_LENGTH', at: '*', verdict: 'true', why: 'The columns have no length.' },
  ],
}

async function prepare(origin: string): Promise<Visit> {
  // The administrator's own way in, open to this machine.
  const reset = await fetch(`${origin}/admin/reset-chef-password`)
  const { password } = (await reset.json()) as { password: string }
  const suffix = Date.now().toString(36)
  return (client, person) => {
    if (person === 'administrator') return cook(client, password, `${origin}/static/img/favicon-32x32.png`)
    return eat(client, `${person === 'owner' ? 'olga' : 'otto'}${suffix}`, person === 'owner' ? '11' : '22')
  }
}

async function signIn(client: RecordingClient, username: string, password: string): Promise<void> {
  const form = new URLSearchParams({ username, password }).toString()
  const { access_token: token } = jsonOf<{ access_token: string }>(
    await client.call('POST', '/token', form, 'application/x-www-form-urlencoded'),
  )
  client.headers = { authorization: `Bearer ${token}` }
}

async function eat(client: RecordingClient, username: string, phone: string): Promise<void> {
  await client.call('GET', '/healthcheck')
  await client.call('GET', '/menu')
  const password = 'Long-Passw0rd-1'
  await client.call('POST', '/register', {
    username,
    password,
    phone_number: `555-${phone}-${Date.now() % 1_000_000}`,
    first_name: 'Some',
    last_name: 'One',
  })
  await signIn(client, username, password)
  await client.call('GET', '/profile')
  await client.call('PUT', '/profile', { username, first_name: 'Somebody', last_name: 'One' })
  await client.call('PATCH', '/profile', { first_name: 'Some' })
  const { id } = jsonOf<{ id: number }>(
    await client.call('POST', '/orders', {
      delivery_address: `Long Lane ${phone}`,
      phone_number: `555-${phone}`,
      items: [{ menu_item_id: 1, quantity: 2 }],
    }),
  )
  await client.call('GET', '/orders')
  await client.call('GET', `/orders/${id}`)
  await client.call('GET', `/orders/status/${id}`)
  await client.call('GET', '/referral-code')
  await client.call('GET', '/discount-coupons')
  await client.call('POST', '/reset-password', { username })
  await client.call('POST', '/reset-password/new-password', {
    username,
    reset_password_code: 'none',
    new_password: password,
  })
}

async function cook(client: RecordingClient, password: string, image: string): Promise<void> {
  await signIn(client, 'chef', password)
  await client.call('GET', '/profile')
  await client.call('GET', '/menu')
  const dish = { name: 'Soup', price: 3.5, category: 'Soups', description: 'Hot' }
  const { id } = jsonOf<{ id: number }>(await client.call('PUT', '/menu', { ...dish, image_url: image }))
  await client.call('PUT', `/menu/${id}`, { ...dish, price: 4 })
  await client.call('DELETE', `/menu/${id}`)
  await client.call('PUT', '/users/update_role', { username: 'hhm', role: 'Employee' })
  await client.call('GET', '/admin/stats/disk?parameters=/')
}
