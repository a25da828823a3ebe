import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../../scripts/postgres.ts'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { pythonSources } from '../install.ts'
import { operationsOf } from '../operations.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { runningOn } from '../running-on.ts'
import type { Place, Running, Target, Visit } from '../target.ts'

const COMMIT = '70c0bfd'

/** c{api}tal: a place for articles, comments and followers. */
export const capital: Target = {
  name: 'capital',
  sound: false,
  make: 'Python, FastAPI, REST',
  source: `github.com/Checkmarx/capital ${COMMIT}`,
  start,
  prepare,
  // Its document leaves out what its challenges hide.
  routes: async (origin) => [
    ...operationsOf(await (await fetch(`${origin}/openapi.json`)).json()),
    'GET /api/admin',
    'GET /api/logging',
    'POST /api/v1/users/login',
  ],
  volatile: [],
  // The challenges of app/resources/strings.py, where an API tester can reach them. Left out: missing logs, and the Redis
  // that its compose file starts beside it without a password.
  weaknesses: [
    { name: 'BOLA: articles', at: 'DELETE /api/articles/{slug}', tests: ['BOLA_DELETE'] },
    {
      name: 'BOLA: comments',
      at: 'DELETE /api/articles/{slug}/comments/{id}',
      tests: ['BOLA_DELETE'],
    },
    {
      name: 'broken user authentication: guessable password',
      at: 'POST /api/v2/users/login',
      tests: ['LOGIN_BRUTE_FORCE'],
    },
    {
      name: 'excessive data exposure: card in a profile',
      at: 'GET /api/profiles/{username}',
      tests: ['CARD_NUMBER_IN_RESPONSE'],
    },
    { name: 'lack of resources and rate limiting', at: 'GET /api/articles', tests: ['UNBOUNDED_PAGE_SIZE'] },
    { name: 'broken function level authorization', at: 'GET /api/admin', tests: ['BFLA_*'] },
    { name: 'mass assignment', at: 'PUT /api/user', tests: ['MASS_ASSIGNMENT_*'] },
    { name: 'injection', at: 'POST /api/debug', tests: ['CMDI_*'] },
    {
      name: 'improper assets management: sign-in of version 1',
      at: 'POST /api/v2/users/login',
      tests: ['OLD_VERSION_*'],
    },
  ],
  judged: [
    {
      test: 'CORS_PREFLIGHT_ANY_ORIGIN',
      at: '*',
      verdict: 'true',
      why: 'app/main.py allows every origin, with credentials.',
    },
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'No x-content-type-options in the answers.',
    },
    {
      test: 'UNBOUNDED_TEXT_LENGTH',
      at: '*',
      verdict: 'true',
      why: 'Its columns are texts without a length.',
    },
    {
      test: 'MISSING_AUTHENTICATION',
      at: 'GET /api/articles*',
      verdict: 'debatable',
      why: 'Visitors may read articles and comments; with their authors they get the fields of cards, empty as a rule.',
    },
    {
      test: 'BOLA_CREATE',
      at: 'POST /api/articles/{}/favorite',
      verdict: 'false',
      why: 'Every user may mark every article.',
    },
  ],
}

// What its requirements.txt asks for, in versions that this Python has ready.
const NEEDS = [
  'uvicorn==0.18.2',
  'fastapi==0.79.0',
  'Unidecode==1.3.4',
  'databases==0.6.0',
  'python-slugify==6.1.2',
  'asyncpg==0.29.0',
  'loguru==0.6.0',
  'aiosql==5.0',
  'bcrypt==3.2.2',
  'passlib==1.7.4',
  'pydantic[email,dotenv]==1.10.13',
  'pyjwt==2.4.0',
  'pypika==0.48.9',
  'alembic==1.8.1',
  'sqlalchemy==1.4.50',
  'psycopg2-binary==2.9.9',
]

// As its own main program, on this machine only.
const MAIN = `
import sys
import uvicorn
from alembic import command
from alembic.config import Config
from app.main import get_application
command.upgrade(Config('alembic.ini'), 'fdf8821871d7')
uvicorn.run(get_application(), host='127.0.0.1', port=int(sys.argv[1]))
`

async function start({ programs, data, port }: Place): Promise<Running> {
  const { sources, bin } = pythonSources(
    programs,
    `capital-${COMMIT}`,
    { repository: 'https://github.com/Checkmarx/capital', commit: COMMIT },
    NEEDS,
  )
  const folder = join(data, 'capital')
  for (const name of ['app', 'alembic.ini'])
    cpSync(join(sources, name), join(folder, name), { recursive: true })
  const postgres = await startPostgres(data)
  if (postgres === null) throw new Error('capital needs the programs of a PostgreSQL server')
  const origin = `http://127.0.0.1:${port}`
  const started = await startProgram({
    command: join(bin, 'python'),
    args: ['-c', MAIN, String(port)],
    folder,
    // Its driver does not know the short name of the scheme.
    env: { DATABASE_URL: postgres.url.replace('postgres://', 'postgresql://'), APP_ENV: 'prod' },
    log: join(data, 'log'),
    ready: `${origin}/openapi.json`,
  })
  return runningOn(postgres, origin, started)
}

/** More than a page of any size that is usual. */
const ARTICLES = 250

interface Account {
  readonly username: string
  readonly email: string
  readonly password: string
}

async function prepare(origin: string): Promise<Visit> {
  const suffix = Date.now().toString(36)
  const accountOf = (name: string): Account => ({
    username: `${name}${suffix}`,
    email: `${name}.${suffix}@writers.example.com`,
    password: `${name}-Passw0rd-1`,
  })
  const post = (path: string, body: unknown, headers = {}, method = 'POST') =>
    fetch(origin + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  // Nothing but its own mistake makes an administrator.
  const chief = accountOf('chief')
  const answer = await post('/api/users', { user: chief })
  const { user } = (await answer.json()) as { user: { token: string } }
  const authorization = { authorization: `Token ${user.token}` }
  await post('/api/user', { user: { admin: true } }, authorization, 'PUT')
  for (let number = 0; number < ARTICLES; number++)
    await post(
      '/api/articles',
      { article: { title: `News ${number} of ${suffix}`, description: 'Short', body: 'News' } },
      authorization,
    )
  return (client, person) => {
    if (person === 'administrator') return manage(client, chief)
    return write(client, accountOf(person === 'owner' ? 'olga' : 'otto'))
  }
}

async function signIn(client: RecordingClient, { email, password }: Account): Promise<void> {
  const { user } = jsonOf<{ user: { token: string } }>(
    await client.call('POST', '/api/v2/users/login', { user: { email, password } }),
  )
  client.headers = { authorization: `Token ${user.token}` }
}

async function write(client: RecordingClient, account: Account): Promise<void> {
  const { username } = account
  await client.call('GET', '/api/articles?limit=10&offset=0')
  await client.call('GET', '/api/tags')
  await client.call('POST', '/api/users', { user: account })
  await signIn(client, account)
  await client.call('GET', '/api/user')
  await client.call('PUT', '/api/user', { user: { bio: `I am ${username}` } })
  const makeArticle = async (title: string): Promise<string> =>
    jsonOf<{ article: { slug: string } }>(
      await client.call('POST', '/api/articles', {
        article: { title, description: `About ${title}`, body: 'Once upon a time', tagList: ['pokemon'] },
      }),
    ).article.slug
  const slug = await makeArticle(`Diary of ${username}`)
  const draft = await makeArticle(`Draft of ${username}`)
  await client.call('GET', '/api/articles?limit=10&offset=0')
  await client.call('GET', `/api/articles/${slug}`)
  await client.call('PUT', `/api/articles/${slug}`, { article: { body: 'They lived happily' } })
  await client.call('POST', `/api/articles/${slug}/favorite`)
  await client.call('DELETE', `/api/articles/${slug}/favorite`)
  const comment = async (body: string): Promise<number> =>
    jsonOf<{ comment: { id: number } }>(
      await client.call('POST', `/api/articles/${slug}/comments`, { comment: { body } }),
    ).comment.id
  await comment(`${username} likes it`)
  const hasty = await comment(`${username} wrote in haste`)
  await client.call('GET', `/api/articles/${slug}/comments`)
  await client.call('DELETE', `/api/articles/${slug}/comments/${hasty}`)
  await client.call('DELETE', `/api/articles/${draft}`)
  await client.call('GET', `/api/profiles/${username}`)
  // People look at others who wrote much.
  for (const famous of ['Pikachu', 'Bob_the_dev', 'Hodor', 'Blastoise', 'TeamR$cket']) {
    await client.call('GET', `/api/profiles/${famous}`)
    await client.call('POST', `/api/profiles/${famous}/follow`)
  }
  await client.call('GET', '/api/articles/feed')
  await client.call('DELETE', '/api/profiles/Pikachu/follow')
  await client.call('DELETE', '/api/profiles/Hodor/follow')
  await client.call('POST', '/api/membership', {
    number: '4111111111111111',
    cvc: '123',
    expiry: '0930',
    name: username,
  })
  await client.call('POST', '/api/debug', { body: { command: 'uptime' } })
}

async function manage(client: RecordingClient, account: Account): Promise<void> {
  await signIn(client, account)
  await client.call('GET', '/api/user')
  await client.call('GET', '/api/admin')
  await client.call('GET', '/api/logging')
}
