import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { goSources } from '../install.ts'
import { operationsOf } from '../operations.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import type { Place, Running, Target, Visit } from '../target.ts'

const COMMIT = 'e49e3c7'

/** Br0K3nAPI, which keeps its users in memory. */
export const br0k3nApi: Target = {
  name: 'br0k3n-api',
  sound: false,
  make: 'Go, Gin, REST',
  source: `github.com/peterhallen/Br0k3nAPI ${COMMIT}`,
  start,
  prepare: () => Promise.resolve(visit),
  routes: async (origin) => operationsOf(await (await fetch(`${origin}/swagger/doc.json`)).json()),
  volatile: [],
  // "Vulnerabilities Present" of its README. Left out: uploads of files, what runs in browsers, CORS for every origin, which
  // gives none of them the credentials of a header, and two that its sources only imitate: a query that no database gets,
  // and a stack trace that is the text of a constant.
  weaknesses: [
    { name: 'profile of another user', at: 'GET /profile/{userID}', tests: ['BOLA_READ'] },
    {
      name: 'passwords in plain text',
      at: 'GET /profile/{userID}',
      tests: ['SECRET_IN_RESPONSE', 'PASSWORD_*', 'BOLA_READ'],
    },
    {
      name: "administrator's function by a name in the token",
      at: 'GET /admin/secret',
      tests: ['BFLA_*', 'JWT_*'],
    },
    {
      name: 'environment variables',
      at: 'GET /leak/env',
      tests: ['MISSING_AUTHENTICATION', 'MISSING_AUTHENTICATION_OUTLIER', 'SECRET_IN_RESPONSE'],
    },
    { name: 'open redirect', at: 'GET /redirect', tests: ['OPEN_REDIRECT_QUERY'] },
    { name: 'path traversal', at: 'GET /readfile', tests: ['PATH_TRAVERSAL_QUERY'] },
    { name: 'no rate limiting', at: 'POST /login', tests: ['LOGIN_BRUTE_FORCE'] },
    { name: 'weak JWT secret', at: '*', tests: ['JWT_WEAK_SECRET'] },
  ],
  judged: [
    {
      test: 'BFLA_ADMIN_READ',
      at: 'GET /profile/admin',
      verdict: 'true',
      why: 'Any user reads the password of the administrator.',
    },
  ],
}

async function start({ programs, data, port }: Place): Promise<Running> {
  const program = goSources(
    programs,
    `br0k3n-api-${COMMIT}`,
    { repository: 'https://github.com/peterhallen/Br0k3nAPI', commit: COMMIT },
    // Its own address is fixed, and open to other machines.
    [['r.Run(":8888")', 'r.Run("127.0.0.1:" + os.Getenv("PORT"))']],
  )
  const origin = `http://127.0.0.1:${port}`
  const started = await startProgram({
    command: program,
    args: [],
    folder: data,
    env: { PORT: String(port), GIN_MODE: 'release', DATABASE_PASSWORD: 'T0p-secret-of-the-server' },
    log: join(data, 'log'),
    ready: `${origin}/ping`,
  })
  return { origin, database: null, stop: started.stop }
}

const visit: Visit = async (client, person) => {
  const username = person === 'administrator' ? 'admin' : person === 'owner' ? 'olga' : 'otto'
  await signIn(client, username)
  await client.call('GET', '/ping')
  await client.call('GET', `/profile/${username}`)
  await client.call('POST', '/data', { input: `what ${username} writes` })
  await client.call('GET', '/redirect?url=%2Fping')
  await client.call('GET', '/leak/env')
  await client.call('GET', '/readfile?path=log')
  await client.call('GET', '/error')
  if (person === 'administrator') await client.call('GET', '/admin/secret')
}

async function signIn(client: RecordingClient, username: string): Promise<void> {
  const account = { username, password: `${username}-Passw0rd-1` }
  await client.call('POST', '/register', account)
  const { token } = jsonOf<{ token: string }>(await client.call('POST', '/login', account))
  client.headers = { authorization: token }
}
