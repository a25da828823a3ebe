import { namesReading, wordsOf } from './changing-words.ts'

/** Methods that change nothing (RFC 9110 section 9.2.1, RFC 5323, RFC 4918, the QUERY method). */
const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'SEARCH', 'QUERY', 'PROPFIND', 'REPORT'])

/** What a token request has to bring, by its grant type. */
const GRANT_CREDENTIALS: ReadonlyMap<string, string> = new Map([
  ['authorization_code', 'code'],
  ['refresh_token', 'refresh_token'],
])
/** Parameters of token requests (RFC 6749, 7521, 7636, 8707, OpenID Connect), and what client libraries add. */
const TOKEN_PARAMETERS =
  /^(?:grant_type|code|code_verifier|refresh_token|redirect_uri|client_id|client_secret|client_assertion(?:_type)?|client_info|client-request-id|scope|state|session_state|nonce|iss|resource|audience|claims|token_type|x-[\w-]+)$/i

/** What is known of a request before it leaves. */
export interface OutgoingRequest {
  readonly url: URL
  /** Upper case. */
  readonly method: string
  /** Beginning of the body as text; null without. */
  readonly body: string | null
}

/** Whether a method says that nothing is changed. */
export function readsByMethod(method: string): boolean {
  return READING_METHODS.has(method)
}

/**
 * Whether a request of a writing method only reads, by what it says: a GraphQL query, a procedure called `getThings`, a
 * search with its conditions in the body. What cannot be told does not.
 */
export function readsByContent({ url, method, body }: OutgoingRequest): boolean {
  if (method !== 'POST') return false
  const value = parsed(body)
  const graphql = graphqlReads(value) ?? plainGraphqlReads(body)
  if (graphql !== null) return graphql
  const procedure = proceduresRead(value)
  if (procedure !== null) return procedure
  const last = url.pathname.split('/').findLast((segment) => segment !== '') ?? ''
  return namesReading(last)
}

/** Whether a request makes the session last, or turns a sign-in into its tokens: without it the pages are signed out. */
export function renewsSession({ url, method, body }: OutgoingRequest): boolean {
  if (method !== 'POST') return false
  if (asksForTokens(body)) return true
  const words = wordsOf(url.pathname)
  const isRenewal = words.some((word) => /^(?:refresh|renew)$/.test(word))
  return isRenewal && words.some((word) => /^(?:auth|oauth2?|token|session|jwt|login|sessions)$/.test(word))
}

/** Whether a body is that of a token request (RFC 6749), and nothing else. */
function asksForTokens(body: string | null): boolean {
  if (body === null) return false
  const json = parsed(body)
  const fields = json === null ? Object.fromEntries(new URLSearchParams(body)) : fieldsOf(json)
  const credential = GRANT_CREDENTIALS.get(String(fields['grant_type']))
  if (credential === undefined || !fields[credential]) return false
  return Object.entries(fields).every(
    ([name, value]) =>
      (value === null || typeof value === 'string' || typeof value === 'number') &&
      TOKEN_PARAMETERS.test(name),
  )
}

/** First name of a GraphQL mutation; null when a body has none. */
export function mutationIn(body: string | null): string | null {
  // The first field, within JSON text or plain.
  return /\bmutation\b[^{]{0,500}\{(?:\s|\\n|\\t)*(\w{1,100})/.exec(body ?? '')?.[1] ?? null
}

function parsed(body: string | null): unknown {
  if (body === null || !/^\s*[[{]/.test(body)) return null
  try {
    return JSON.parse(body)
  } catch {
    // Cut or no JSON: it says nothing.
    return null
  }
}

/** Null when the body is not GraphQL. */
function graphqlReads(value: unknown): boolean | null {
  const calls = Array.isArray(value) ? value : [value]
  const answers = calls.map((call) => {
    const { query, operationName } = fieldsOf(call)
    if (typeof query === 'string' && /[{]/.test(query)) return documentReads(query)
    // A stored query is named by a hash; only its name tells what it does.
    const isStored = typeof operationName === 'string' && fieldsOf(call)['extensions'] !== undefined
    return isStored ? namesReading(String(operationName)) : null
  })
  if (answers.length === 0 || answers.some((answer) => answer === null)) return null
  return answers.every((answer) => answer === true)
}

function plainGraphqlReads(body: string | null): boolean | null {
  return body !== null && /^\s*(?:query|mutation|subscription|fragment)\b[^{]{0,500}\{/.test(body)
    ? documentReads(body)
    : null
}

/** Whether a GraphQL document holds queries only. Text in it may speak of anything. */
export function documentReads(document: string): boolean {
  const bare = document.replace(/"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*/g, '""')
  return !/\b(?:mutation|subscription)\b\s*\w*\s*[({@]/.test(bare)
}

/** JSON-RPC and its like. Null when the body calls no procedure. */
function proceduresRead(value: unknown): boolean | null {
  const calls = Array.isArray(value) ? value : [value]
  const names = calls.map((call) => {
    const { jsonrpc, method } = fieldsOf(call)
    return jsonrpc === undefined || typeof method !== 'string' ? null : method
  })
  if (names.length === 0 || names.some((name) => name === null)) return null
  return names.every((name) => namesReading(name!.split(/[./]/).at(-1) ?? ''))
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
