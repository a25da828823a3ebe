import { type Answer, BAD_REQUEST, type Call, forCallers, type Route } from '../call.ts'
import { entitiesIn, fetchFor, fileText, fillTemplate, runCommand } from '../interpreters.ts'
import { issueToken } from '../tokens.ts'

const MAX_FAILURES = 8
const MAX_REVIEW = 1000

/** Routes that hand what they are given to an interpreter (OWASP API7, API8). */
export const injectionRoutes: readonly Route[] = [
  forCallers('GET', /^\/api\/v2\/search$/, search),
  { method: 'POST', pattern: /^\/api\/v2\/partners\/login$/, answer: partnerSignIn },
  forCallers('GET', /^\/api\/v2\/tools\/ping$/, async (call) => {
    const host = call.query.get('host') ?? ''
    if (!/^[a-z0-9.-]{1,100}$/i.test(host) && !call.has('command-in-ping')) return BAD_REQUEST
    return { status: 200, body: { output: await runCommand(`ping -c 1 ${host}`) } }
  }),
  forCallers('POST', /^\/api\/v2\/mails\/preview$/, (call) => {
    const text = call.json?.['text']
    if (typeof text !== 'string' || text.length > 5000) return BAD_REQUEST
    return { status: 200, body: { preview: call.has('template-in-preview') ? fillTemplate(text) : text } }
  }),
  forCallers('GET', /^\/api\/v2\/files$/, (call) => {
    const name = call.query.get('name') ?? ''
    if (!/^[a-z0-9-]+\.txt$/.test(name) && !call.has('path-in-file-name')) return BAD_REQUEST
    const text = fileText(`/srv/market/files/${name}`)
    if (text === null) return { status: 404, body: { error: 'there is no such file' } }
    return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text }
  }),
  forCallers('POST', /^\/api\/v2\/catalog\/import$/, (call) => {
    if (!/^\s*<\?xml|^\s*<(?:!DOCTYPE|catalog)/.test(call.body)) return BAD_REQUEST
    if (/<!DOCTYPE/i.test(call.body) && !call.has('external-entity')) {
      return { status: 400, body: { error: 'document types are not allowed' } }
    }
    const document = entitiesIn(call.body)
    const titles = [...document.matchAll(/<title>([^<]*)<\/title>/g)].map((match) => match[1]!.slice(0, 400))
    return { status: 200, body: { imported: titles.length, titles } }
  }),
  forCallers('POST', /^\/api\/v2\/webhooks\/test$/, async (call) => {
    const url = call.json?.['url']
    if (typeof url !== 'string' || !URL.canParse(url)) return BAD_REQUEST
    const isOwn = new URL(url).host === 'hooks.market.example'
    if (!isOwn && !call.has('webhook-fetch'))
      return { status: 422, body: { error: 'the address is not allowed' } }
    return { status: 200, body: isOwn ? { delivered: true, answer: 'ok' } : await fetchFor(url) }
  }),
  forCallers('POST', /^\/api\/v2\/greeting$/, (call) => {
    const name = (call.query.get('name') ?? 'guest').slice(0, 200)
    const shown = call.has('reflected-script')
      ? name
      : name.replaceAll(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
    return {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: `<p>Good day, ${shown}!</p>`,
    }
  }),
  forCallers('POST', /^\/api\/v2\/reviews$/, review),
]

function search(call: Call): Answer {
  const text = call.query.get('q') ?? ''
  const { database } = call.state
  if (!call.has('sql-in-search')) {
    const rows = database
      .prepare('SELECT id, title, stock FROM articles WHERE title LIKE ? LIMIT 20')
      .all(`%${text}%`)
    return { status: 200, body: { articles: rows } }
  }
  try {
    const rows = database
      .prepare(`SELECT id, title, stock FROM articles WHERE title LIKE '%${text}%' LIMIT 20`)
      .all()
    return { status: 200, body: { articles: rows } }
  } catch (error) {
    return { status: 500, body: { error: `SQLITE_ERROR: ${(error as Error).message}` } }
  }
}

function partnerSignIn(call: Call): Answer {
  const { user, password } = call.json ?? {}
  if (!call.has('nosql-in-sign-in') && (typeof user !== 'string' || typeof password !== 'string'))
    return BAD_REQUEST
  const account = call.state.accounts.find(
    (candidate) => matches(candidate.email, user) && matches(candidate.password, password),
  )
  const { failedPasswords } = call.state
  const failures = failedPasswords.get(`partner ${String(user)}`) ?? 0
  if (failures >= MAX_FAILURES) return { status: 429, body: { error: 'too many attempts' } }
  if (account === undefined) {
    failedPasswords.set(`partner ${String(user)}`, failures + 1)
    return { status: 401, body: { error: 'wrong user or password' } }
  }
  return { status: 200, body: { token: issueToken(account.id, account.role), partner: account.name } }
}

/** A condition of a document store: a plain value, or an object of operators. */
function matches(value: string, condition: unknown): boolean {
  if (typeof condition !== 'object' || condition === null) return value === condition
  return Object.entries(condition).every(([operator, operand]) => {
    if (operator === '$ne') return value !== operand
    if (operator === '$gt') return value > String(operand)
    if (operator === '$exists') return operand === true
    if (operator === '$regex') return String(operand) === '.*' || value.includes(String(operand))
    return false
  })
}

function review(call: Call): Answer {
  try {
    const { stars, text } = JSON.parse(call.body) as { stars: number; text: string }
    if (String(text).length > MAX_REVIEW) return { status: 413, body: { error: 'a review is short' } }
    if (call.has('stack-trace')) return { status: 201, body: { stars: stars.toFixed(0), text: text.trim() } }
    if (typeof stars !== 'number' || typeof text !== 'string') return BAD_REQUEST
    return { status: 201, body: { stars: stars.toFixed(0), text: text.trim() } }
  } catch (error) {
    if (!call.has('stack-trace')) return BAD_REQUEST
    return { status: 500, headers: { 'content-type': 'text/plain' }, body: (error as Error).stack ?? '' }
  }
}
