import { boot, type Running } from '../src/app/index.ts'
import { type Client, createClient } from '../src/contract/index.ts'
import { readSettings, type Settings } from '../src/kit/index.ts'
import { createLog } from '../src/kit/log.ts'
import { type Server, startServer } from '../src/server/index.ts'
import { freshStorePlace, type StorePlace } from './store-fixture.ts'

/** Key of kind EXTERNAL_API that every test server has. */
export const testKey = 'testkeytestkeytestkeytestkeytestkeytestk'

/** A real server on a free port, with a fresh store of the engine under test. */
export interface TestServer {
  readonly baseUrl: string
  readonly port: number
  readonly settings: Settings
  readonly running: Running
  /** What an export of metrics reads. */
  readonly readings: Server['readings']
  readonly place: StorePlace
  /** Every log line so far. */
  readonly logText: () => string
  /** Client with {@link testKey}. */
  readonly client: Client
  /** POST to a path with a JSON body; `key` null sends none. */
  post(path: string, body: unknown, options?: PostOptions): Promise<Response>
  /** Stops listening, waits for running calls (5 s unless given) and closes the store; the place stays. */
  stop(patienceMs?: number): Promise<void>
  /** Stops and removes everything. */
  close(): Promise<void>
}

export interface PostOptions {
  /** API key; {@link testKey} unless given; null for none. */
  key?: string | null
  headers?: Record<string, string>
}

/**
 * Starts one. `settings` are flags, like `{ 'max-body-bytes': '1MiB' }`; `place` continues on the store of an earlier
 * server; `environment` has settings as variables.
 */
export async function startTestServer(
  settings: Record<string, string> = {},
  place?: StorePlace,
  environment: Record<string, string> = {},
): Promise<TestServer> {
  const home = place ?? (await freshStorePlace())
  const lines: string[] = []
  const report = readSettings(environment, {
    port: '0',
    'data-dir': home.dataDir,
    'api-key': testKey,
    'log-level': 'debug',
    // Nothing here outlives its test; tests of durability start the program as people do.
    'embedded-durability': 'false',
    // Examples of the contract start crawls of hosts that are nowhere; tests of crawls ask for a crawler.
    'crawls-at-once': '0',
    ...(home.databaseUrl === null ? {} : { 'database-url': home.databaseUrl }),
    ...settings,
  })
  const log = createLog(report.settings.logLevel, { write: (line) => void lines.push(line) })
  const running = await boot(report.settings, log, () => {
    throw new Error(`a part of the server under test died: ${lines.at(-1)}`)
  })
  const server: Server = await startServer(running.app)
  const stop = async (patienceMs = 5_000): Promise<void> => {
    await server.stop(patienceMs)
    await running.close()
  }
  return {
    baseUrl: server.address,
    port: server.port,
    settings: report.settings,
    running,
    readings: server.readings,
    place: home,
    logText: () => lines.join(''),
    client: createClient({ baseUrl: server.address, apiKey: testKey }),
    post: (path, body, options = {}) => postJson(server.address + path, body, options),
    stop,
    async close() {
      await stop()
      await home.dispose()
    },
  }
}

function postJson(
  url: string,
  body: unknown,
  { key = testKey, headers = {} }: PostOptions,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === null ? {} : { 'x-api-key': key }),
      ...headers,
    },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  })
}

/** A signed-in person. */
export interface TestPerson {
  readonly email: string
  readonly accessToken: string
  /** The refresh cookie as `name=value`. */
  readonly cookie: string
  /** Calls an operation with the session. */
  call(operation: string, body?: unknown): Promise<Response>
}

export const testPassword = 'correct horse 1'

/** Signs a person up (the first one becomes administrator) and in. */
export async function signUpPerson(
  server: TestServer,
  email: string,
  invitationCode?: string,
): Promise<TestPerson> {
  const answer = await server.post(
    '/signup-email',
    { email, password: testPassword, invitationCode },
    { key: null },
  )
  if (answer.status !== 200) throw new Error(`sign-up answered ${answer.status}: ${await answer.text()}`)
  return personOf(server, email, answer)
}

/** Invites a person as `admin` and signs the person up with the role. */
export async function joinPerson(
  server: TestServer,
  admin: TestPerson,
  email: string,
  role: 'ADMIN' | 'MEMBER' | 'GUEST',
): Promise<TestPerson> {
  const answer = await admin.call('inviteUsers', { invitations: [{ email, role }] })
  if (answer.status !== 200) throw new Error(`inviteUsers answered ${answer.status}: ${await answer.text()}`)
  const { invitations } = (await answer.json()) as { invitations: { invitationCode: string }[] }
  return signUpPerson(server, email, invitations[0]!.invitationCode)
}

/** The person behind an answer of sign-in or sign-up. */
export function personOf(server: TestServer, email: string, answer: Response): TestPerson {
  const accessToken = answer.headers.get('access-token') ?? ''
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';', 1)[0]!
  return {
    email,
    accessToken,
    cookie,
    call: (operation, body = {}) =>
      server.post(`/api/${operation}`, body, { key: null, headers: { 'access-token': accessToken } }),
  }
}
