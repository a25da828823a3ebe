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
    expect(session.state()).toEqual({ phase: 'needs-first-user' })
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

  it('tells a server that is away or in trouble from a missing session', async () => {
    const away = new SessionStore(serverOf({}).send)
    await away.start()
    expect(away.state().phase).toBe('unreachable')
    const failing = new SessionStore(serverOf({ '/health': health('done', 'failed') }).send)
    await failing.start()
    expect(failing.state()).toEqual({ phase: 'unreachable', reason: 'these parts of it fail: store' })
  })

  it('gives the words of a refusal at sign-in', async () => {
    const { send } = serverOf({
      '/auth/login': () => Response.json({ actionErrors: ['Wrong e-mail or password'] }, { status: 401 }),
    })
    await expect(new SessionStore(send).signIn('a@example.org', 'x')).rejects.toEqual(
      new SignInError('Wrong e-mail or password'),
    )
  })

  it('renews an expired token once for all calls that need it, and sends them again', async () => {
    let renewals = 0
    const { send, asked } = serverOf({
      '/api/one': (headers) => (headers.get('access-token') === null ? expired() : new Response('ok')),
      '/dashboard/accessToken': () => {
        renewals += 1
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

  it('leaves a refusal of the role alone', async () => {
    const denied = () =>
      Response.json({ actionErrors: ['no'] }, { status: 403, headers: { 'x-error-code': 'ROLE_DENIED' } })
    const { send, asked } = serverOf({ '/api/one': denied })
    await new SessionStore(send).fetch('/api/one')
    expect(asked).toEqual(['/api/one'])
  })
})
