import { cpSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../../scripts/postgres.ts'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { pythonSources } from '../install.ts'
import { operationsOf } from '../operations.ts'
import { runCommand, startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { runningOn } from '../running-on.ts'
import type { Place, Running, Target, Visit } from '../target.ts'

const COMMIT = 'ed67ab9'

const FUNCTION = ['BFLA_ADMIN_*', 'BFLA_ROLE_MATRIX']

/** Damn Vulnerable RESTaurant. */
export const restaurant: Target = {
  name: 'restaurant',
  sound: false,
  make: 'Python, FastAPI, REST',
  source: `github.com/theowni/Damn-Vulnerable-RESTaurant-API-Game ${COMMIT}`,
  start,
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
    {
      name: 'level 1: dishes deleted by customers',
      at: 'DELETE /menu/{id}',
      // The dish is one of the chef, the caller a customer.
      tests: [...FUNCTION, 'BOLA_DELETE'],
    },
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
    {
      test: 'BOLA_DELETE',
      at: 'DELETE /menu/*',
      verdict: 'true',
      why: 'delete_menu_item_service.py asks for no role: any customer deletes the dishes of the chef.',
    },
    {
      test: 'BOLA_UPDATE',
      at: 'PUT /menu/*',
      verdict: 'false',
      why: 'update_menu_item_service.py asks for the role of staff; the attacker had it only because a test had raised it.',
    },
    {
      test: 'BOLA_CREATE',
      at: 'POST /orders',
      verdict: 'false',
      why: 'The order is that of the caller; only the phone number in it is that of another customer.',
    },
  ],
}

// What its pyproject.toml asks for, without its tests and with the PostgreSQL driver that needs no compiler.
const NEEDS = [
  'fastapi==0.103.2',
  'pydantic==2.10.6',
  'uvicorn[standard]==0.23.2',
  'httpx==0.24.1',
  'sqlalchemy==2.0.38',
  'psycopg2-binary==2.9.10',
  'python-jose==3.3.0',
  'python-dotenv==1.0.1',
  'passlib==1.7.4',
  'python-multipart==0.0.9',
  'bcrypt==4.2.1',
  'requests==2.32.3',
  'alembic==1.14.1',
  'pillow==11.1.0',
  'psutil==7.0.0',
  'slowapi==0.1.9',
]

/** Of the application that this process started. */
let database: string | null = null

async function start({ programs, data, port }: Place): Promise<Running> {
  const { sources, bin } = pythonSources(
    programs,
    `restaurant-${COMMIT}`,
    { repository: 'https://github.com/theowni/Damn-Vulnerable-RESTaurant-API-Game', commit: COMMIT },
    NEEDS,
  )
  const folder = join(data, 'restaurant')
  cpSync(join(sources, 'app'), folder, { recursive: true })
  const postgres = await startPostgres(data)
  if (postgres === null) throw new Error('restaurant needs the programs of a PostgreSQL server')
  database = postgres.url
  const { port: databasePort, pathname, username } = new URL(postgres.url)
  const origin = `http://127.0.0.1:${port}`
  const common = {
    folder,
    env: {
      POSTGRES_SERVER: '127.0.0.1',
      POSTGRES_PORT: databasePort,
      POSTGRES_DB: pathname.slice(1),
      POSTGRES_USER: username,
    },
    log: join(data, 'log'),
  }
  await runCommand({ ...common, command: join(bin, 'alembic'), args: ['upgrade', 'head'] })
  const started = await startProgram({
    ...common,
    command: join(bin, 'uvicorn'),
    args: ['main:app', '--host', '127.0.0.1', '--port', String(port)],
    ready: `${origin}/healthcheck`,
  })
  return runningOn(postgres, origin, started)
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
    reset_password_code: await codeOf(username),
    new_password: password,
  })
}

/** The code that the application would send to a phone. */
async function codeOf(username: string): Promise<string> {
  if (database === null) return 'none'
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const { rows } = await client.query<{ code: string }>(
    'SELECT reset_password_code AS code FROM users WHERE username = $1',
    [username],
  )
  await client.end()
  return rows[0]?.code ?? 'none'
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
