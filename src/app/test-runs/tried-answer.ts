import { type Exchange, type HeaderList, writeRawResponse } from '../../http/index.ts'
import { maskText, type SecretMask, secretsOfCredential } from '../../testing/index.ts'

const MOST_ANSWER = 2_000
const MASK = '***'
/** Headers whose values say how an answer is sent, or why it is refused. */
const PLAIN_HEADER =
  /^(?:allow|cache-control|content-encoding|content-length|content-type|date|location|retry-after|server|www-authenticate)$/i
/** Keys whose values explain an answer, or say what kind of credential it gives. */
const EXPLAINING_KEY =
  /^(?:errors?|error_?(?:code|description)|message|msg|reason|details?|status|success|title|type|token_type|expires_in)$/i
/** Keys whose values are credentials in any answer. */
const SECRET_KEY = /pass|pwd|secret|token|pin$|otp|jwt|sess|sid$|cookie|csrf|key$|cred/i

/** Secrets of a request as it was sent, with what it took from earlier answers. */
export function sentSecrets({ request: { target, headers, body } }: Exchange): string[] {
  const fields = headers.flatMap((name, at) => (at % 2 === 0 ? [{ key: name, value: headers[at + 1] }] : []))
  return secretsOfCredential({ parameters: [], steps: [{ url: target, headers: fields, body }], flow: null })
}

/**
 * The answer to a step of a login, for people who may use the role but not see its secrets. Any value of an answer that
 * succeeded may be a credential, so only those are shown that explain it.
 */
export function shownAnswer(exchange: Exchange, mask: SecretMask): string {
  const { request, response } = mask.exchange(exchange)
  const shown = { ...response, bodyIsBase64: false, headers: shownHeaders(response.headers) }
  const text = writeRawResponse({ ...shown, body: shownBody(response) }, request.version)
  return mask.text(text).slice(0, MOST_ANSWER)
}

function shownHeaders(headers: HeaderList): HeaderList {
  return headers.map((part, at) => {
    if (at % 2 === 0) return part
    return PLAIN_HEADER.test(headers[at - 1]!) ? part.replace(/[?#].*/s, '') : maskText(part)
  })
}

function shownBody({ status, body, bodyIsBase64 }: Exchange['response']): string {
  const isFailed = status >= 400
  const json = bodyIsBase64 === true ? undefined : readJson(body)
  if (json === undefined) return body === '' || (isFailed && bodyIsBase64 !== true) ? body : MASK
  return JSON.stringify(json, (key, value: unknown) => {
    const isValue = typeof value === 'string' || typeof value === 'number'
    if (SECRET_KEY.test(key) && !/^token_type$/i.test(key)) return isEmpty(value) ? value : MASK
    return isValue && !isFailed && !EXPLAINING_KEY.test(key) ? MASK : value
  })
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || typeof value === 'boolean'
}

/** Undefined: it is not the text of an object or a list. */
function readJson(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
