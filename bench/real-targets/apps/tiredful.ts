import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { pythonSources } from '../install.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { sqliteDatabase } from '../snapshot.ts'
import type { Place, Running, Target, Visit } from '../target.ts'

const COMMIT = '0134124'
/** Of its `client_cred.txt`: its pages sign in with it. */
const CLIENT = 'ALGGN0UmsY2Gb9cs3V4CEKMfpBJ2D2XZQXuTFfND'
const CLIENT_SECRET =
  'mWM7pgvjtUSAtfaK8RXLjzOaLmurBxIWxMdQIQ0t1fSv9orqOnYr5wP5CaFN8DE18NiFiKKalQPu1WecmpbfoZCGYhMqMACz6i2WkWYs5E8gjXxqekjCyPkhBmO5n5EN'

/** Tiredful API: one small application for each weakness, with the data that its sources bring. */
export const tiredful: Target = {
  name: 'tiredful',
  sound: false,
  make: 'Python, Django, REST',
  source: `github.com/payatu/Tiredful-API ${COMMIT}`,
  start,
  prepare: () => Promise.resolve(visit),
  routes: () => Promise.resolve(ROUTES),
  volatile: ['oauth2_provider_accesstoken', 'oauth2_provider_refreshtoken', 'auth_user.last_login'],
  // The challenges of its pages. Left out: what runs in browsers, and the rate limit, which it has and wants to be reached.
  weaknesses: [
    { name: 'information disclosure', at: 'GET /api/v1/books/{ISBN}', tests: ['STACK_TRACE_*'] },
    { name: 'exam results of others', at: 'GET /api/v1/exams/{id}', tests: ['BOLA_*'] },
    {
      name: 'articles deleted by anybody',
      at: 'DELETE /api/v1/articles/{id}',
      tests: ['BOLA_DELETE', 'BFLA_*', 'MISSING_AUTHENTICATION', 'INVALID_CREDENTIALS_ACCEPTED'],
    },
    { name: 'SQL injection', at: 'POST /api/v1/activities', tests: ['SQLI_*'] },
  ],
  judged: [
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'Its settings leave SECURE_CONTENT_TYPE_NOSNIFF at False.',
    },
    {
      test: 'VERSION_DISCLOSURE_SERVER',
      at: '*',
      verdict: 'true',
      why: 'WSGIServer and CPython with their versions in every answer.',
    },
    {
      test: 'MISSING_AUTHENTICATION',
      at: 'GET /api/v1/articles/{}',
      verdict: 'false',
      why: 'permissions.py lets everybody read, and only articles that were approved are shown.',
    },
    {
      test: 'LOGIN_BRUTE_FORCE',
      at: 'POST /oauth/token',
      verdict: 'true',
      why: 'Neither Django nor its OAuth toolkit counts attempts.',
    },
  ],
}

/** Of the `urls.py` of each of its parts. */
const ROUTES = [
  'POST /oauth/token',
  'POST /oauth/revoke_token',
  'GET /api/v1/books/{ISBN}',
  'GET /api/v1/exams/{score_card}',
  'GET /api/v1/articles/{article_id}',
  'PATCH /api/v1/articles/{article_id}',
  'DELETE /api/v1/articles/{article_id}',
  'GET /api/v1/approve-article/{article_id}',
  'POST /api/v1/trains',
  'POST /api/v1/activities',
  'GET /api/v1/advertisements',
  'POST /api/v1/advertisements',
]

// As `manage.py runserver`, without the process that starts it again when sources change. Its Django is of a time when
// Python had these names; nobody of its data is an administrator.
const MAIN = `
import collections, collections.abc, gettext, os, sys
for name in collections.abc.__all__:
    setattr(collections, name, getattr(collections.abc, name))
translation = gettext.translation
gettext.translation = lambda *args, codeset=None, **named: translation(*args, **named)
gettext.GNUTranslations.set_output_charset = lambda self, name: None
os.environ['DJANGO_SETTINGS_MODULE'] = 'Tiredful_API.settings'
import django
django.setup()
from django.contrib.auth.models import User
from django.core.management import execute_from_command_line
User.objects.create_superuser('alfred', 'alfred@gotham.com', 'Alfred@123')
execute_from_command_line(['manage.py', 'runserver', '127.0.0.1:' + sys.argv[1], '--noreload', '--insecure'])
`

async function start({ programs, data, port }: Place): Promise<Running> {
  const { sources, bin } = pythonSources(
    programs,
    `tiredful-${COMMIT}`,
    { repository: 'https://github.com/payatu/Tiredful-API', commit: COMMIT },
    [
      // The newest of the line that it names, which newer Python can still run.
      'Django==1.11.29',
      'django-oauth-toolkit==1.0.0',
      'djangorestframework==3.7.3',
      'oauthlib==2.0.6',
      'pytz==2025.2',
      'requests==2.32.4',
    ],
  )
  const folder = join(data, 'tiredful', 'Tiredful-API')
  cpSync(join(sources, 'Tiredful-API'), folder, { recursive: true })
  const origin = `http://127.0.0.1:${port}`
  const program = await startProgram({
    command: join(bin, 'python'),
    args: ['-c', MAIN, String(port)],
    folder,
    env: {},
    log: join(data, 'log'),
    ready: `${origin}/about`,
  })
  return { origin, database: sqliteDatabase(join(folder, 'db.sqlite3')), stop: program.stop }
}

/** What its data say of whom: exam results by number, and an article. */
const PEOPLE = {
  owner: { name: 'batman', password: 'Batman@123', exams: [1, 2], article: 4 },
  attacker: { name: 'superman', password: 'Superman@123', exams: [56], article: 5 },
  administrator: { name: 'alfred', password: 'Alfred@123', exams: [], article: 9 },
}

const visit: Visit = async (client, person) => {
  const { name, password, exams, article } = PEOPLE[person]
  await readWithoutAccount(client)
  await signIn(client, name, password)
  for (const exam of exams)
    await client.call('GET', `/api/v1/exams/${Buffer.from(String(exam)).toString('base64')}/`)
  await client.call('GET', `/api/v1/articles/${article}/`)
  await client.call('POST', '/api/v1/advertisements/', {
    headline: `Bicycle of ${name}`,
    info: `Ridden by ${name} only`,
    price: 120.5,
  })
  await client.call('GET', '/api/v1/advertisements/')
  if (person !== 'administrator') return
  await client.call('GET', `/api/v1/approve-article/${article}/`)
  const { headers } = client
  // Its function for administrators wants this header, and asks nobody who they are.
  client.headers = { ...headers, isadmin: 'True' }
  await client.call('DELETE', '/api/v1/articles/2/')
  client.headers = headers
}

async function signIn(client: RecordingClient, username: string, password: string): Promise<void> {
  const form = new URLSearchParams({
    grant_type: 'password',
    client_id: CLIENT,
    client_secret: CLIENT_SECRET,
    username,
    password,
  })
  const answer = await client.call('POST', '/oauth/token/', form.toString(), FORM)
  const { access_token: token } = jsonOf<{ access_token: string }>(answer)
  client.headers = { authorization: `Bearer ${token}` }
}

const FORM = 'application/x-www-form-urlencoded'

/** Books, trains and activities are open to everybody. */
async function readWithoutAccount(client: RecordingClient): Promise<void> {
  for (const isbn of ['978-93-80658-74-2', '0-06-250217-4'])
    await client.call('GET', `/api/v1/books/${isbn}/`)
  await client.call('POST', '/api/v1/trains/', { PNR: '9875-4581-234' })
  await client.call('POST', '/api/v1/activities/', { month: '11' })
  await client.call('POST', '/api/v1/activities/', { month: '2' })
}
