import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import type { Exchange } from '../../http/index.ts'
import { Sender, TargetScope } from '../../http/sender/index.ts'
import { Failure, nowSeconds, setClock } from '../../kit/index.ts'
import type { AuthMechanismView } from '../records/auth-mechanism.ts'
import { writeSegment } from '../tokens/jwt.ts'
import { isLoginFailure } from './session.ts'
import { Sessions, type SessionsDeps } from './sessions.ts'

const open: (() => Promise<unknown> | unknown)[] = []

afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void

async function serverThat(answer: Answer): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      asked.push(`${request.method} ${request.url} ${body}`)
      answer(request, body, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

function sessionsAt(origin: string, changes: Partial<SessionsDeps> = {}) {
  const sender = new Sender({
    scope: new TargetScope([new URL(origin).host]),
    requestsPerMinute: 0,
    verifiesTls: true,
    audit: () => {},
  })
  open.push(() => sender.close())
  const notes: string[] = []
  const secrets: string[] = []
  const { signal } = new AbortController()
  const purpose = { kind: 'login', runId: null, summaryId: null, testId: null, user: null } as const
  const sessions = new Sessions({
    send: (request, options) => sender.send(request, { ...options, signal, purpose }),
    sampleOf: () => Promise.resolve(null),
    player: null,
    oneTimeCode: () => Promise.reject(new Error('no login asks for a code')),
    origin,
    signal,
    keeper: null,
    note: (sentence) => notes.push(sentence),
    secrets: (values) => secrets.push(...values),
    ...changes,
  })
  return { sessions, notes, secrets }
}

function mechanism(changes: Partial<AuthMechanismView>): AuthMechanismView {
  return {
    id: 'm1',
    uuid: '',
    type: 'LOGIN_REQUEST',
    parameters: [bearer('Bearer ${x1.response.body.token}')],
    steps: null,
    flow: null,
    tokenExpiresAt: 0,
    author: 'ada@example.org',
    collectionIds: null,
    ...changes,
  }
}

function bearer(value: string): AuthMechanismView['parameters'][number] {
  return { where: 'HEADER', key: 'authorization', value, showHeader: true }
}

const JSON_TYPE = { 'content-type': 'application/json' }

test('a login of several steps carries values, cookies and encodings on', async () => {
  const { origin, asked } = await serverThat((request, body, response) => {
    if (request.url === '/csrf') {
      response.writeHead(200, { 'set-cookie': 'pre=1; Path=/', 'x-csrf': 'a"b' })
      response.end('<input name="csrf" value="q&1">')
    } else if (request.url?.startsWith('/login') && request.headers.cookie === 'pre=1') {
      response.writeHead(302, { 'set-cookie': 'sid=s3cret; HttpOnly', location: '/home' }).end()
    } else response.writeHead(200, JSON_TYPE).end(JSON.stringify({ data: { keys: [{ key: `k-${body}` }] } }))
  })
  const { sessions, secrets } = sessionsAt(origin)
  const state = await sessions.begin(
    mechanism({
      steps: [
        { url: '/csrf', extract: [{ name: 'csrf', from: 'BODY', regex: 'value="([^"]+)"' }] },
        {
          url: `${origin}/login`,
          method: 'post',
          queryParams: 'c=${csrf}',
          headers: '{"content-type":"application/x-www-form-urlencoded"}',
          body: 'user=u&csrf=${csrf}',
        },
        { name: 'keys', url: '/keys', body: { echo: '${x1.response.headers.x-csrf}' } },
      ],
      parameters: [
        bearer('Bearer ${keys.response.body.data.keys[0].key}'),
        { where: 'HEADER', key: 'cookie', value: '${cookies}', showHeader: true },
      ],
    }),
    'MEMBER',
  )
  expect(asked).toEqual([
    'GET /csrf ',
    'POST /login?c=q%261 user=u&csrf=q%261',
    'POST /keys {"echo":"a\\"b"}',
  ])
  expect(state).toMatchObject({
    isRenewable: true,
    parameters: [
      { where: 'HEADER', key: 'authorization', value: 'Bearer k-{"echo":"a\\"b"}' },
      { key: 'cookie', value: 'pre=1; sid=s3cret' },
    ],
  })
  expect(secrets).toContain('pre=1; sid=s3cret')
})

test('many who ask at once share one login, and a refused session is begun again, boundedly', async () => {
  let logins = 0
  const { origin } = await serverThat((_request, _body, response) => {
    logins++
    response.writeHead(200, JSON_TYPE).end(`{"token":"t${logins}"}`)
  })
  const { sessions, notes } = sessionsAt(origin)
  const role = mechanism({ steps: [{ url: '/login', body: '{}' }] })
  await Promise.all(Array.from({ length: 20 }, () => sessions.begin(role, 'MEMBER')))
  expect(logins).toBe(1)
  const seenMs = Date.now() + 1000
  await Promise.all(Array.from({ length: 20 }, () => sessions.renew(role, 'MEMBER', seenMs)))
  expect(logins).toBe(2)
  await sessions.renew(role, 'MEMBER', 0)
  expect(logins, 'a session younger than the refusal stays').toBe(2)
  for (let i = 0; i < 10; i++) await sessions.renew(role, 'MEMBER', Date.now() + 1000)
  expect(logins).toBe(5)
  expect(sessions.current(role)).toMatchObject({ kind: 'login lost' })
  expect(notes).toEqual(['The role MEMBER signed in 5 times, and lost its session each time.'])
})

test('sessions that lasted a while may end as often as they do', async () => {
  let logins = 0
  const { origin } = await serverThat((_request, _body, response) => {
    logins++
    response.writeHead(200, JSON_TYPE).end(`{"token":"t${logins}"}`)
  })
  const { sessions, notes } = sessionsAt(origin)
  const role = mechanism({ steps: [{ url: '/login', body: '{}' }] })
  await sessions.begin(role, 'MEMBER')
  const startMs = Date.now()
  const clock = vi.spyOn(Date, 'now')
  try {
    for (let minute = 1; minute <= 8; minute++) {
      clock.mockReturnValue(startMs + minute * 60_000)
      await sessions.renew(role, 'MEMBER', startMs + minute * 60_000)
    }
  } finally {
    clock.mockRestore()
  }
  expect([logins, notes]).toEqual([9, []])
})

test('the reason why a role cannot sign in is reported once, without secrets', async () => {
  const { origin } = await serverThat((_request, _body, response) => response.writeHead(401).end('no'))
  const { sessions, notes } = sessionsAt(origin)
  const role = mechanism({ steps: [{ url: '/login', body: '{"password":"p4ss"}' }] })
  const [state] = await Promise.all([sessions.begin(role, 'MEMBER'), sessions.begin(role, 'MEMBER')])
  await sessions.begin(role, 'MEMBER')
  expect(state).toEqual({
    kind: 'login lost',
    text: 'The role MEMBER could not sign in: step x1 was answered with 401.',
  })
  expect(notes).toHaveLength(1)
})

test('a login cut off by the end of the run is not reported', async () => {
  const over = new AbortController()
  const player = {
    play: (_flow: unknown, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('it was stopped')), { once: true })
      }),
  }
  const { sessions, notes } = sessionsAt('http://127.0.0.1:1', { player, signal: over.signal })
  const flow = {
    content: '[]',
    tokenFetchCommand: '1',
    outputFilePath: null,
    errorFilePath: null,
    tokenResult: null,
  }
  const state = sessions.begin(mechanism({ flow }), 'RECORDED')
  over.abort()
  expect(await state).toMatchObject({ kind: 'login lost' })
  expect(notes).toEqual([])
})

test.each([
  [{ steps: [] }, 'the login has no steps'],
  [{ steps: [{ url: '' }] }, 'has no URL'],
  [{ steps: [{ type: 'EMAIL_CODE_VERIFICATION', url: '/x' }] }, 'waits for a code'],
  [{ steps: [{ type: 'RECORDED_FLOW' }] }, 'by a recording, but none is kept'],
  [{ type: 'COPILOT_OAUTH' }, 'signs in by COPILOT_OAUTH'],
  [{ type: 'TLS_AUTH' }, 'no client certificate'],
  [{ type: 'DIGEST_AUTH' }, 'no username and password'],
  [{ type: 'SAMPLE_DATA' }, 'no endpoint is named'],
  [{ type: 'HardCoded', parameters: [] }, 'has no credentials'],
  [
    {
      flow: {
        content: '[]',
        tokenFetchCommand: '1',
        outputFilePath: null,
        errorFilePath: null,
        tokenResult: null,
      },
    },
    'this installation plays none',
  ],
])('%o needs configuration', async (changes, words) => {
  const { sessions } = sessionsAt('http://127.0.0.1:1')
  const state = await sessions.begin(mechanism(changes as Partial<AuthMechanismView>), 'MEMBER')
  expect(state).toMatchObject({ kind: 'needs configuration' })
  expect((state as { text: string }).text).toContain(words)
})

test('a login whose host does not answer, whose answer lacks the token, or whose URL is out of scope, is lost', async () => {
  const { origin } = await serverThat(({ url }, _body, response) =>
    url === '/gone' ? response.destroy() : response.end('{}'),
  )
  const textOf = async (steps: Record<string, unknown>[]): Promise<string> => {
    const state = await sessionsAt(origin).sessions.begin(mechanism({ steps }), 'R')
    return isLoginFailure(state) ? state.text : 'no problem'
  }
  expect(await textOf([{ url: '/login' }])).toContain(
    'no answer holds ${x1.response.body.token} for authorization',
  )
  expect(await textOf([{ url: 'http://elsewhere.example/login' }])).toContain(
    'got no answer (elsewhere.example: ',
  )
  expect(await textOf([{ url: '/gone' }])).toContain(`got no answer (${new URL(origin).host}: `)
  expect(await textOf([{ url: '/${x7.response.body.id}' }])).toContain('which no answer holds')
})

test('a token ends the session, and a kept session saves the login', async () => {
  const until = nowSeconds() + 600
  const jwt = `${writeSegment(new Map([['alg', 'none']]))}.${writeSegment(new Map([['exp', until]]))}.x`
  let logins = 0
  const { origin } = await serverThat((_request, _body, response) => {
    logins++
    response.end(JSON.stringify({ token: jwt }))
  })
  const kept = new Map<string, string>()
  const keeper = {
    kept: (id: string) => Promise.resolve(kept.get(id) ?? null),
    keep: (id: string, text: string, expiresAt: number) => {
      expect(expiresAt).toBe(until)
      kept.set(id, text)
      return Promise.resolve()
    },
  }
  const role = mechanism({ steps: [{ url: '/login' }] })
  const first = await sessionsAt(origin, { keeper }).sessions.begin(role, 'R')
  expect(first).toMatchObject({ expiresAt: until, parameters: [{ value: `Bearer ${jwt}` }] })
  const later = sessionsAt(origin, { keeper }).sessions
  expect(await later.begin(role, 'R')).toMatchObject({ parameters: [{ value: `Bearer ${jwt}` }] })
  expect(logins).toBe(1)
  await later.renew(role, 'R', Date.now() + 1000)
  expect(logins, 'a kept token that was refused is not used again').toBe(2)
})

test('a token that lasts seconds is used for half of them, not fetched for every test', async () => {
  const until = nowSeconds() + 20
  const jwt = `${writeSegment(new Map([['alg', 'none']]))}.${writeSegment(new Map([['exp', until]]))}.x`
  let logins = 0
  const { origin } = await serverThat((_request, _body, response) => {
    logins++
    response.end(JSON.stringify({ token: jwt }))
  })
  const { sessions } = sessionsAt(origin)
  const role = mechanism({ steps: [{ url: '/login' }] })
  for (let i = 0; i < 5; i++) await sessions.begin(role, 'R')
  expect(logins).toBe(1)
  const later = (until - 5) * 1000
  const undo = setClock(() => later)
  try {
    await sessions.begin(role, 'R')
  } finally {
    undo()
  }
  expect(logins).toBe(2)
})

test('a token comes from the newest sample of an endpoint, and from a played recording', async () => {
  const sample: Exchange = {
    request: { method: 'POST', target: '/login', version: '', headers: ['x-key', 'k1'], body: '' },
    response: {
      status: 200,
      reason: '',
      headers: ['set-cookie', 'sid=abc; Path=/'],
      body: '{"t":["x","y"]}',
    },
    at: 0,
    clientIp: '',
    serverIp: '',
    source: 'OTHER',
    direction: 1,
    vxlanId: 0,
  }
  const { sessions } = sessionsAt('http://127.0.0.1:1', {
    sampleOf: (origin) => Promise.resolve(origin.url === '/login' ? sample : null),
    player: {
      play: () => Promise.resolve({ token: 'tok', values: { user_id: '7' }, cookieHeader: 'a=1' }),
    },
  })
  const sampled = mechanism({
    type: 'SAMPLE_DATA',
    steps: [{ apiCollectionId: 1, method: 'POST', url: '/login' }],
    parameters: [bearer('${x1.response.body.t[1]}-${x1.response.cookies.sid}-${x1.request.headers.x-key}')],
  })
  expect(await sessions.begin(sampled, 'R')).toMatchObject({ parameters: [{ value: 'y-abc-k1' }] })
  const flow = {
    content: '[]',
    tokenFetchCommand: '',
    outputFilePath: null,
    errorFilePath: null,
    tokenResult: null,
  }
  const played = mechanism({
    id: 'm2',
    flow,
    parameters: [bearer('${x1.response.body.token} ${user_id} ${cookies}')],
  })
  expect(await sessions.begin(played, 'R')).toMatchObject({ parameters: [{ value: 'tok 7 a=1' }] })
})

test('a login sends a one-time code that is taken when its request goes out', async () => {
  const { origin, asked } = await serverThat((_request, _body, response) => {
    response.writeHead(200, JSON_TYPE).end('{"ticket":"t1","token":"abc"}')
  })
  const taken: string[] = []
  const { sessions } = sessionsAt(origin, {
    oneTimeCode: (secret) => {
      taken.push(`${secret} after ${asked.length} requests`)
      return secret === 'unreadable'
        ? Promise.reject(new Failure('FLOW_INVALID', { reason: '' }))
        : Promise.resolve('492039')
    },
  })
  const steps = [
    { url: '/login', body: '{}' },
    {
      url: '/code',
      body: { code: '${totp}', ticket: '${x1.response.body.ticket}' },
      totp: 'JBSWY3DPEHPK3PXP',
    },
  ]
  expect(
    await sessions.begin(mechanism({ steps, parameters: [bearer('${x3.response.body.token}')] }), 'R'),
  ).toMatchObject({
    parameters: [{ value: 'abc' }],
  })
  expect(taken).toEqual(['JBSWY3DPEHPK3PXP after 1 requests'])
  expect(asked).toEqual(['POST /login {}', 'POST /code {"code":"492039","ticket":"t1"}'])
  const unreadable = mechanism({ id: 'm2', steps: [{ name: 'code', url: '/code', totp: 'unreadable' }] })
  expect(await sessions.begin(unreadable, 'R')).toEqual({
    kind: 'login lost',
    text: 'The role R could not sign in: the secret for one-time codes of step code cannot be read.',
  })
  expect(asked).toHaveLength(2)
})
