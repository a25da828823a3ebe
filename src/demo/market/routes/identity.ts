import {
  type Answer,
  BAD_REQUEST,
  type Call,
  FORBIDDEN,
  forCallers,
  type Route,
  UNAUTHORIZED,
} from '../call.ts'
import type { Account } from '../state.ts'
import { issueToken, SOUND_CHECKS } from '../tokens.ts'

const MAX_PIN_FAILURES = 5
const MAX_PASSWORD_FAILURES = 8
const TOO_MANY: Answer = {
  status: 429,
  headers: { 'retry-after': '60' },
  body: { error: 'too many attempts' },
}

/** What callers assigned to their accounts with the last change. */
const assigned = new WeakMap<Account, Readonly<Record<string, unknown>>>()

/** Routes about who a caller is and what that allows (OWASP API2, API3, API5). */
export const identityRoutes: readonly Route[] = [
  { method: 'POST', pattern: /^\/api\/v2\/login$/, answer: signIn },
  { method: 'POST', pattern: /^\/api\/v2\/login\/pin$/, answer: signInByPin },
  { method: 'POST', pattern: /^\/api\/v2\/session$/, answer: openSession },
  {
    method: 'GET',
    pattern: /^\/api\/v2\/me$/,
    answer: (call) => {
      const caller = call.caller({ ...SOUND_CHECKS, acceptsUnsigned: call.has('unsigned-token') })
      return caller === null
        ? UNAUTHORIZED
        : { status: 200, body: { ...ownView(caller), ...assigned.get(caller) } }
    },
  },
  forCallers('PUT', /^\/api\/v2\/me$/, (call, caller) => {
    const change = call.json
    if (typeof change?.['name'] !== 'string' || change['name'].length > 100) return BAD_REQUEST
    caller.name = change['name']
    if (!call.has('role-in-profile')) return { status: 200, body: ownView(caller) }
    // What a careless `Object.assign` does; kept beside the account and until the next change, so that every test meets
    // the same market.
    assigned.set(caller, change)
    return { status: 200, body: { ...ownView(caller), ...change } }
  }),
  {
    method: 'GET',
    pattern: /^\/api\/v2\/wallet$/,
    answer: (call) => {
      const caller = call.caller({ ...SOUND_CHECKS, checksSignature: !call.has('unchecked-signature') })
      if (caller === null) return UNAUTHORIZED
      return { status: 200, body: { owner: caller.name, balance: caller.balance, currency: 'EUR' } }
    },
  },
  {
    method: 'GET',
    pattern: /^\/api\/v2\/addresses$/,
    answer: (call) => {
      if (call.caller() === null && !call.has('report-without-credentials')) return UNAUTHORIZED
      const addresses = call.state.orders.map(({ id, address }) => ({ order: id, address }))
      return { status: 200, body: { addresses } }
    },
  },
  forCallers('GET', /^\/api\/v2\/payment-methods$/, (call, caller) => ({
    status: 200,
    body: {
      methods: [
        {
          kind: 'card',
          number: call.has('card-in-answer') ? caller.card : `card ending in ${caller.card.slice(-4)}`,
        },
      ],
    },
  })),
  forCallers('GET', /^\/api\/v2\/admin\/accounts$/, (call, caller) => {
    if (caller.role !== 'admin' && !call.has('admin-list-for-all')) return FORBIDDEN
    return {
      status: 200,
      body: { accounts: call.state.accounts.map(({ id, name, city }) => ({ id, name, city })) },
    }
  }),
  forCallers('POST', /^\/api\/v2\/admin\/refunds$/, (call, caller) => {
    if (caller.role !== 'admin' && !call.has('refund-for-all')) return FORBIDDEN
    const order = call.state.orders.find((candidate) => candidate.id === Number(call.json?.['orderId']))
    if (order === undefined) return BAD_REQUEST
    return { status: 201, body: { refund: `R-${order.id}`, orderId: order.id, amount: order.total } }
  }),
]

function ownView(account: Account) {
  const { id, name, email, role } = account
  return { id, name, email, role }
}

function signIn(call: Call): Answer {
  const { email, password } = call.json ?? {}
  if (typeof email !== 'string' || typeof password !== 'string') return BAD_REQUEST
  const { failedPasswords } = call.state
  const failures = failedPasswords.get(email) ?? 0
  if (failures >= MAX_PASSWORD_FAILURES) return TOO_MANY
  const account = call.state.accounts.find((candidate) => candidate.email === email)
  if (account?.password !== password) failedPasswords.set(email, failures + 1)
  else {
    failedPasswords.delete(email)
    return { status: 200, body: { token: issueToken(account.id, account.role), userId: account.id } }
  }
  if (!call.has('account-enumeration')) return { status: 401, body: { error: 'wrong e-mail or password' } }
  return account === undefined
    ? { status: 404, body: { error: 'no account has this e-mail' } }
    : { status: 401, body: { error: 'the password is wrong' } }
}

function signInByPin(call: Call): Answer {
  const { email, pin } = call.json ?? {}
  if (typeof email !== 'string' || typeof pin !== 'string') return BAD_REQUEST
  const { failedPins } = call.state
  const failures = failedPins.get(email) ?? 0
  if (failures >= MAX_PIN_FAILURES && !call.has('unlimited-sign-in')) {
    return TOO_MANY
  }
  const account = call.state.accounts.find((candidate) => candidate.email === email)
  if (account === undefined || account.pin !== pin) {
    failedPins.set(email, failures + 1)
    return { status: 401, body: { error: 'wrong e-mail or pin' } }
  }
  failedPins.delete(email)
  return { status: 200, body: { token: issueToken(account.id, account.role), userId: account.id } }
}

function openSession(call: Call): Answer {
  const caller = call.caller()
  if (caller === null) return UNAUTHORIZED
  const attributes = call.has('bare-session-cookie')
    ? '; Max-Age=31536000'
    : '; Max-Age=3600; Secure; HttpOnly; SameSite=Strict'
  return {
    status: 200,
    headers: { 'set-cookie': `market_session=${issueToken(caller.id, caller.role)}; Path=/${attributes}` },
    body: { opened: true },
  }
}
