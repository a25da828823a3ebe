import { describe, expect, it } from 'vitest'
import { SessionStore, SignInError } from './session-store.ts'

const token = (login: string) => `x.${btoa(JSON.stringify({ username: login }))}.y`

/** A server in a few lines: answers by path, and remembers what was asked. */
function serverOf(answers: Record<string, (headers: Headers) => Response>) {
  const asked: string[] = []
  const send: typeof fetch = async (input, init) => {
    const path = String(input)
    asked.push(path)
    const answer = answers[path]
    if (answer === undefined) throw new TypeError('Failed to fetch')
    return answer(new Headers(init?.headers))
  }
  return { send, asked }
}

const health =
  (setup: string, store = 'ok') =>
  () =>
    Response.json({ status: 'ok', parts: { store }, setup })
const renewed = () => Response.json({}, { headers: { 'access-token': token('ada@example.org') } })
const expired = () =>
  Response.json(
    { actionErrors: ['Session expired'] },
    { status: 403, headers: { 'x-error-code': 'SESSION_EXPIRED' } },
  )

describe('SessionStore', () => {
  it('offers sign-up while the server has no user', async () => {
    const session = new SessionStore(serverOf({ '/health': health('needs-first-user') }).send)
    await session.start()
    expect(session.state()).toEqual({ phase: 'needs-first-user', needsSetupCode: false })
  })

  it('asks for the set-up code when the server needs one, and sends it', async () => {
    const sent: unknown[] = []
    const session = new SessionStore(async (input, init) => {
      if (String(input) === '/health')
        return Response.json({ status: 'ok', parts: {}, setup: 'needs-first-user', needsSetupCode: true })
      sent.push(JSON.parse(String(init?.body)))
      return Response.json({}, { headers: { 'access-token': token('ada@example.org') } })
    })
    await session.start()
    expect(session.state()).toEqual({ phase: 'needs-first-user', needsSetupCode: true })
    await session.signUp('ada@example.org', 'lamp river tuna', { setupCode: 'ABCD' })
    expect(sent).toEqual([{ email: 'ada@example.org', password: 'lamp river tuna', setupCode: 'ABCD' }])
  })

  it('resumes the session of the cookie', async () => {
    const session = new SessionStore(
      serverOf({ '/health': health('done'), '/dashboard/accessToken': renewed }).send,
    )
    await session.start()
    expect(session.state()).toEqual({ phase: 'signed-in', login: 'ada@example.org' })
  })

  it('asks to sign in without a session', async () => {
    const session = new SessionStore(
      serverOf({ '/health': health('done'), '/dashboard/accessToken': expired }).send,
    )
    await session.start()
    expect(session.state()).toEqual({ phase: 'signed-out', expired: false })
  })

  it('distinguishes an unreachable or failing server from a missing session, and opens once it answers', async () => {
    const answers: Parameters<typeof serverOf>[0] = {}
    const seen: unknown[] = []
    const waits: number[] = []
    const session: SessionStore = new SessionStore(serverOf(answers).send, async (ms) => {
      waits.push(ms)
      seen.push(session.state())
      if (waits.length === 2) answers['/health'] = health('done', 'failed')
      if (waits.length === 6) answers['/dashboard/accessToken'] = renewed
    })
    await session.start()
    const lost = { phase: 'unreachable', reason: 'Failed to fetch' }
    const failing = { phase: 'unreachable', reason: 'these parts of it fail: store' }
    expect(seen).toEqual([lost, lost, failing, failing, failing, failing])
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
    expect(session.state()).toEqual({ phase: 'signed-in', login: 'ada@example.org' })
  })

  it('shows the pages although a health check of the server was slow', async () => {
    const { send } = serverOf({ '/health': health('done', 'failed'), '/dashboard/accessToken': renewed })
    const session = new SessionStore(send)
    await session.start()
    expect(session.state().phase).toBe('signed-in')
  })

  it('shows the pages although the health check is not answered at all', async () => {
    const session = new SessionStore((input) =>
      String(input) === '/health' ? new Promise(() => {}) : Promise.resolve(renewed()),
    )
    await session.start()
    expect(session.state()).toEqual({ phase: 'signed-in', login: 'ada@example.org' })
  })

  describe('reads how people sign in before it shows the sign-in page, where that was not known', () => {
    const provider = () =>
      Response.json({ parts: {}, setup: 'done', signIn: { password: false, provider: 'Acme', mail: false } })
    const ways = { password: false, provider: 'Acme', mail: false }

    async function signedIn(answers: Parameters<typeof serverOf>[0]) {
      const { send, asked } = serverOf(answers)
      const session = new SessionStore(send)
      await session.start()
      expect(session.state().phase).toBe('signed-in')
      let seen: unknown
      session.subscribe(() => {
        if (session.state().phase === 'signed-out') seen = session.ways()
      })
      return { session, asked, seen: () => seen }
    }

    it('at sign-out', async () => {
      const answers: Parameters<typeof serverOf>[0] = { '/dashboard/accessToken': renewed }
      const { session, seen } = await signedIn(answers)
      Object.assign(answers, { '/health': provider, '/api/logout': () => Response.json({}) })
      await session.signOut()
      expect(seen()).toEqual(ways)
    })

    it('when the session has ended, once for all calls', async () => {
      const answers: Parameters<typeof serverOf>[0] = { '/dashboard/accessToken': renewed }
      const { session, asked, seen } = await signedIn(answers)
      Object.assign(answers, {
        '/health': provider,
        '/api/one': expired,
        '/dashboard/accessToken': expired,
      })
      await Promise.all([session.fetch('/api/one'), session.fetch('/api/one')])
      expect(session.state()).toEqual({ phase: 'signed-out', expired: true })
      expect(seen()).toEqual(ways)
      expect(asked.filter((path) => path === '/health')).toHaveLength(2)
    })

    it('and not again where it is known, and signs out although nothing answers', async () => {
      const { session, asked } = await signedIn({
        '/health': provider,
        '/dashboard/accessToken': renewed,
        '/api/logout': () => Response.json({}),
      })
      await session.signOut()
      expect(session.ways()).toEqual(ways)
      expect(asked.filter((path) => path === '/health')).toHaveLength(1)
      const other = await signedIn({
        '/dashboard/accessToken': renewed,
        '/api/logout': () => Response.json({}),
      })
      await other.session.signOut()
      expect(other.session.state()).toEqual({ phase: 'signed-out', expired: false })
    })
  })

  it('gives the words of a refusal at sign-in', async () => {
    const { send } = serverOf({
      '/auth/login': () => Response.json({ actionErrors: ['Wrong e-mail or password'] }, { status: 401 }),
    })
    await expect(new SessionStore(send).signIn('a@example.org', 'x')).rejects.toEqual(
      new SignInError('Wrong e-mail or password'),
    )
  })

  it('stays signed out after a password reset that started no session', async () => {
    const done = () => Response.json({ loginResult: null })
    const session = new SessionStore(serverOf({ '/auth/password-reset/complete': done }).send)
    const reset = { code: 'code', password: 'lamp river tuna', revokeApiTokens: true }
    expect(await session.resetPassword(reset)).toBe(false)
    expect(session.state().phase).toBe('starting')
  })

  it('renews an expired token once for all calls that need it, and sends them again', async () => {
    let renewals = 0
    const { send, asked } = serverOf({
      '/api/one': (headers) => (headers.get('access-token') === null ? expired() : new Response('ok')),
      '/dashboard/accessToken': () => {
        renewals++
        return renewed()
      },
    })
    const session = new SessionStore(send)
    const answers = await Promise.all([session.fetch('/api/one'), session.fetch('/api/one')])
    expect(answers.map((answer) => answer.status)).toEqual([200, 200])
    expect(renewals).toBe(1)
    expect(asked.filter((path) => path === '/api/one')).toHaveLength(4)
  })

  it('ends the session when it cannot be renewed', async () => {
    const { send } = serverOf({ '/api/one': expired, '/dashboard/accessToken': expired })
    const session = new SessionStore(send)
    expect((await session.fetch('/api/one')).status).toBe(403)
    expect(session.state()).toEqual({ phase: 'signed-out', expired: true })
  })

  it('does not retry a refusal of the role', async () => {
    const denied = () =>
      Response.json({ actionErrors: ['no'] }, { status: 403, headers: { 'x-error-code': 'ROLE_DENIED' } })
    const { send, asked } = serverOf({ '/api/one': denied })
    await new SessionStore(send).fetch('/api/one')
    expect(asked).toEqual(['/api/one'])
  })
})
