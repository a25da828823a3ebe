import type { Exchange } from '../../http/index.ts'
import type { OutgoingRequest, SentResponse } from '../../http/sender/index.ts'
import { Failure, nowSeconds } from '../../kit/index.ts'
import { sendableUrl } from '../attempts/outgoing-request.ts'
import { readJwt } from '../tokens/jwt.ts'
import type { LoginStep } from './login-step.ts'
import { type AnsweredStep, LoginValues, takenValue } from './login-values.ts'
import type { OneTimeCodes } from './session.ts'

/** Sends a request of a login; throws the failures of the sender. */
export type LoginSend = (
  request: OutgoingRequest,
  options: { followRedirects: boolean },
) => Promise<SentResponse>

/** What a login needs. */
interface LoginDeps {
  readonly send: LoginSend
  readonly oneTimeCode: OneTimeCodes
  /** Origin that steps without one go to; null when there is none. */
  readonly origin: string | null
  /** Ends the wait for a one-time code. */
  readonly signal: AbortSignal
}

/** One value that authenticates, with placeholders, or filled. */
export interface LoginParameter {
  readonly where: string
  readonly key: string
  readonly value: string
}

/** What a login yields, or why it yields nothing, as the rest of a sentence. */
export type LoginOutcome =
  | { readonly parameters: readonly LoginParameter[]; readonly expiresAt: number }
  | { readonly refusal: string }

/** How long a session counts as fresh that does not say itself when it ends. */
const LIFE_SECONDS = 30 * 60
/** A token that is over when it comes must not cause a login for every test. */
const LEAST_SECONDS = 10

/**
 * Runs the steps of a login in order and fills the parameters from their answers. Cookies that answers set go along
 * with later steps that name none themselves.
 *
 * @throws Failure SEND_STOPPED
 */
export async function runLogin(
  steps: readonly LoginStep[],
  parameters: readonly LoginParameter[],
  { send, origin, oneTimeCode, signal }: LoginDeps,
): Promise<LoginOutcome> {
  const values = new LoginValues()
  for (const step of steps) {
    const name = step.names.at(-1)!
    // Codes are taken just before they are sent: they end after some seconds.
    if (step.totp !== null) {
      const code = await codeOf(step.totp, { oneTimeCode, signal })
      if (code === null) return { refusal: `the secret for one-time codes of step ${name} cannot be read` }
      values.keep('totp', code)
    }
    const request = requestOf(step, values, origin)
    if ('refusal' in request) return { refusal: `step ${name} ${request.refusal}` }
    let sent: SentResponse
    try {
      sent = await send(request, { followRedirects: step.followRedirects })
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'SEND_STOPPED') throw error
      return { refusal: `step ${name} got no answer (${whyNot(error)})` }
    }
    const answered = answeredStep(request, sent)
    values.add(step.names, answered)
    if (sent.response.status >= 400 && !step.allowsAnyStatus)
      return { refusal: `step ${name} was answered with ${sent.response.status}` }
    for (const take of step.takes) {
      const value = takenValue(take, answered)
      if (value === null) return { refusal: `the answer to step ${name} holds nothing for ${take.name}` }
      values.keep(take.name, value)
    }
  }
  return fillParameters(parameters, values)
}

/** The host and what went wrong there, where the sender tells it; the code of the failure otherwise. */
function whyNot({ code, details: { host, reason } }: Failure): string {
  return [host, reason].filter((part) => typeof part === 'string' && part !== '').join(': ') || code
}

/** Null: the secret is not one. */
async function codeOf(
  secret: string,
  { oneTimeCode, signal }: Pick<LoginDeps, 'oneTimeCode' | 'signal'>,
): Promise<string | null> {
  try {
    return await oneTimeCode(secret, signal)
  } catch (error) {
    if (error instanceof Failure && error.code === 'FLOW_INVALID') return null
    throw signal.aborted ? new Failure('SEND_STOPPED', {}, { cause: error }) : error
  }
}

/** The parameters filled from what a login knows, and when the earliest token in them ends. */
export function fillParameters(parameters: readonly LoginParameter[], values: LoginValues): LoginOutcome {
  const filled: LoginParameter[] = []
  for (const parameter of parameters) {
    const value = values.fill(parameter.value)
    if ('missing' in value) return { refusal: `no answer holds \${${value.missing}} for ${parameter.key}` }
    filled.push({ ...parameter, value: value.text })
  }
  return { parameters: filled, expiresAt: expiryOf(filled) }
}

/** The earliest `exp` of the tokens in the values (RFC 7519 section 4.1.4), at most half an hour from now. */
function expiryOf(parameters: readonly LoginParameter[]): number {
  const ends = parameters.flatMap(({ value }) =>
    value.split(/[\s;,=]+/).flatMap((piece) => {
      const end = readJwt(piece)?.payload.get('exp')
      return typeof end === 'number' && end > 0 ? [Math.floor(end)] : []
    }),
  )
  return Math.max(nowSeconds() + LEAST_SECONDS, Math.min(nowSeconds() + LIFE_SECONDS, ...ends))
}

function requestOf(
  step: LoginStep,
  values: LoginValues,
  origin: string | null,
): OutgoingRequest | { refusal: string } {
  const isForm = step.headers.some(
    ([name, value]) => name.toLowerCase() === 'content-type' && /x-www-form-urlencoded/i.test(value),
  )
  const isJson = /^\s*[{[]/.test(step.body)
  const parts = [
    values.fill(step.url, /^\$\{/.test(step.url) ? undefined : encodeURIComponent),
    values.fill(step.query, encodeURIComponent),
    values.fill(step.body, isForm ? encodeURIComponent : isJson ? insideJsonText : undefined),
  ]
  const headers: string[] = []
  for (const [name, value] of step.headers) {
    const text = values.fill(value)
    parts.push(text)
    if ('text' in text) headers.push(name, text.text.replaceAll(/[\r\n]+/g, ' '))
  }
  const texts: string[] = []
  for (const part of parts) {
    if ('missing' in part) return { refusal: `needs \${${part.missing}}, which no answer holds` }
    texts.push(part.text)
  }
  const [url = '', query = '', body = ''] = texts
  const address = /^https?:\/\//i.test(url)
    ? url
    : origin === null
      ? null
      : `${origin}/${url.replace(/^\//, '')}`
  if (address === null || !URL.canParse(address)) return { refusal: 'has a URL that leads to no host' }
  const has = (name: string): boolean => headers.some((part, i) => i % 2 === 0 && part.toLowerCase() === name)
  if (isJson && !has('content-type')) headers.push('content-type', 'application/json')
  if (values.cookies !== '' && !has('cookie')) headers.push('cookie', values.cookies)
  const whole = query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`
  return {
    method: step.method,
    url: sendableUrl(whole),
    headers,
    body: body === '' ? null : Buffer.from(body),
  }
}

/** A value for the inside of a JSON string; where it stands outside of one, only quotes would differ. */
function insideJsonText(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}

function answeredStep(request: OutgoingRequest, { response }: SentResponse): AnsweredStep {
  const message: Exchange['request'] = {
    method: request.method,
    target: request.url,
    version: 'HTTP/1.1',
    headers: request.headers,
    body: request.body === null ? '' : Buffer.from(request.body).toString('utf8'),
  }
  return { request: message, response }
}
