import { headerValue } from '../../http/index.ts'
import { draftHeader } from '../attempts/header-edits.ts'
import type { RequestDraft } from '../attempts/index.ts'
import { type JsonTree, readTree } from '../attempts/json-tree.ts'

/** What a request may do to the application, by its method and what it asks for. */
export type WriteEffect = 'read' | 'post' | 'change' | 'remove'

/** Headers by which some frameworks let a request name another method than it has. */
const METHOD_HEADERS = ['x-http-method-override', 'x-method-override', 'x-http-method']
/** Last words of paths whose POST computes an answer, or opens a session, and stores nothing that others see. */
const READING_WORD =
  /^(?:search|query|filter|find|lookup|list|count|preview|validate|check|verify|calculate|estimate|compare|suggest|autocomplete|echo|ping|introspect|login|log-?in|sign-?in|authenticate|auth|refresh|oauth2?|userinfo)$/i
/** Last words of paths whose POST opens a session for who proves to be somebody, and makes an access token for others. */
const SESSION_WORD = /^(?:sessions?|tokens?)$/i
/** Keys of what such a request proves it with. */
const PROOF_KEY =
  /pass|pwd|secret|token(?!_?(?:name|type)$)|assertion|credential|grant_?type|api_?key|^(?:pin|otp|code|jwt)$/i
/** Keys whose value is what such a request makes, where it is an object: `{"token":{"name":"Laptop"}}`. */
const MADE_KEY = /token|api_?key/i
/** Last words of paths that name what proves somebody: `auth-with-password`, `verifyPassword`, `auth-refresh`. */
const PROVING_WORD =
  /^(?:(?:auth|authenticate|log-?in|sign-?in)[-_]?(?:with|by|using|via)[-_]?[a-z]|(?:verify|check|validate)[-_]?(?:password|credentials?|pin|otp)$|(?:auth|tokens?|session)[-_]refresh$)/i
/** Keys of bodies that carry a secret of the caller. */
const SECRET_KEY = /^(?:password|passwd|pass|pwd|pin|otp|client_secret|refresh_?token)$/i
/** Words of paths whose POST makes an account although it carries a secret. */
const ACCOUNT_WORD =
  /(?:register|sign-?up|invite|users?|accounts?|members?|customers?|password|reset|create|add)$/i

/** The effect of a request: of POST, whether it only reads is recognised by {@link isReadingPost}. */
export function effectOf(draft: RequestDraft): WriteEffect {
  const method = effectiveMethod(draft)
  if (method === 'POST') return isReadingPost(draft) ? 'read' : 'post'
  if (method === 'PUT' || method === 'PATCH') return 'change'
  // A method that nobody knows is answered with 405 or like GET.
  return method === 'DELETE' ? 'remove' : 'read'
}

/** The method that the target carries out: that of the request, or the one that a header or parameter names. */
function effectiveMethod(draft: RequestDraft): string {
  const named = METHOD_HEADERS.map((name) => draftHeader(draft, name)).find((value) => value !== undefined)
  const parameter = new URLSearchParams(draft.query).get('_method')
  const own = draft.method.toUpperCase()
  const other = (named ?? parameter ?? '').trim().toUpperCase()
  return ['POST', 'PUT', 'PATCH', 'DELETE'].includes(other) ? other : own
}

/**
 * Whether a POST stores nothing: a GraphQL query, a search, a sign-in with the caller's own secret. Names are all that
 * can be known before it is sent, so a doubtful one counts as a write.
 */
function isReadingPost(draft: RequestDraft): boolean {
  const tree = draft.body.text === '' ? undefined : readTree(draft.body.text)
  const graphql = graphqlEffect(tree)
  if (graphql !== null) return graphql === 'query'
  const words = pathOf(draft.url)
    .split('/')
    .filter((segment) => segment !== '')
  const last = words.at(-1) ?? ''
  if (SESSION_WORD.test(last)) return provesCaller(draft, tree)
  if (
    READING_WORD.test(last) ||
    PROVING_WORD.test(last) ||
    /(?:^|[-_.])(?:login|signin|search|authenticate)$/i.test(last)
  )
    return true
  const keys = tree instanceof Map ? [...tree.keys()] : []
  return keys.some((key) => SECRET_KEY.test(key)) &&
    /(?:login|sign-?in|auth|token|verify)/i.test(words.join('/'))
    ? !ACCOUNT_WORD.test(last)
    : false
}

/**
 * Whether a request carries a secret, or says what it is granted for, in its query or its body. A Basic header proves
 * nothing: people make lasting tokens with it as well.
 */
function provesCaller(draft: RequestDraft, tree: JsonTree | undefined): boolean {
  const keys = [...new URLSearchParams(draft.query).keys(), ...keysOf(tree)]
  return keys.some((key) => PROOF_KEY.test(key))
}

/** Keys of a body and of the objects in it, but not a key whose object describes the token that is made. */
function keysOf(tree: JsonTree | undefined): string[] {
  if (!(tree instanceof Map)) return []
  return [...tree].flatMap(([key, value]) => {
    const inner = value instanceof Map ? [...value.keys()] : []
    return value instanceof Map && MADE_KEY.test(key) ? inner : [key, ...inner]
  })
}

/** Whether a body is a GraphQL document, and only asks. */
function graphqlEffect(tree: JsonTree | undefined): 'query' | 'mutation' | null {
  if (Array.isArray(tree)) {
    const effects = tree.map(graphqlEffect)
    if (effects.length === 0 || effects.includes(null)) return null
    return effects.includes('mutation') ? 'mutation' : 'query'
  }
  const document = tree instanceof Map ? tree.get('query') : undefined
  if (
    typeof document !== 'string' ||
    !/^\s*(?:#.*\s*)*(?:\{|query\b|mutation\b|subscription\b|fragment\b)/.test(document)
  )
    return null
  // Commas are blanks to GraphQL.
  return /(?:^|[\s},])mutation\b/.test(document) ? 'mutation' : 'query'
}

function pathOf(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
}

/** Media type of a message's headers, in lower case and without parameters; '' without one. */
export function mediaTypeOf(headers: readonly string[]): string {
  return (headerValue(headers, 'content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()
}
