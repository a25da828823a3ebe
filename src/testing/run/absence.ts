import { type Exchange, headerValue } from '../../http/index.ts'
import { MessageView } from '../../rules/index.ts'
import { carriedCredentials } from '../attempts/credentials.ts'
import { draftOf } from '../attempts/index.ts'
import type { Template } from '../template/index.ts'
import { isBlockPage } from './block-page.ts'
import type { Trial } from './judge.ts'
import { limitShown } from './limit-shown.ts'
import { expiredTokens, oneTimeNames } from './one-time-values.ts'
import type { Obstacle } from './outcome.ts'
import type { AttemptRecord } from './pair-result.ts'

/** Why the absence of a weakness is not proven, although no attempt showed it. */
export interface Doubt {
  readonly code: Obstacle
  /** A sentence for people. */
  readonly text: string
}

type JsonObject = Readonly<Record<string, unknown>>

/** Bodies beyond this many characters are not compared by their keys. */
const MAX_COMPARED = 1_000_000
/** Weaknesses that are a missing limit: there a refusal for too many requests is the sound answer. */
const MISSING_LIMIT = new Set(['CWE-307', 'CWE-770', 'CWE-799'])
/** Weaknesses that let secrets be guessed. */
const GUESSING = new Set(['CWE-307'])
/** Weaknesses that show in errors of the application: there such an error is an answer like others. */
const IN_ERRORS = new Set(['CWE-209', 'CWE-550', 'CWE-756'])
/** Names under which an answer says whether it carried a request out, also where its status says nothing. */
const SUCCESS_FLAG = /^(?:is_?)?(?:success(?:ful)?|succeeded|ok)$/i
const RESULT_WORD = /^(?:status|result|outcome)$/i
const GOOD = /^(?:success|succeeded|ok|done)$/i
const BAD = /^(?:error|fail(?:ed|ure)?|nok|denied|unauthori[sz]ed)$/i
/** What explains a failure, as a field that a state of an object would not bring along. */
const REASON = /^(?:errors?|messages?|msg|details?|reason|description)$/i
const OBJECT_ID = /^(?:_?id|uuid|guid|key|slug)$/i
/** What a refusal talks of that is meant for its caller. */
const ABOUT_CALLER =
  /\b(?:tokens?|credentials?|auth(?:entication|enticated|orization|ori[sz]ed)?|un(?:authenticated|authori[sz]ed)|log(?:ged)?[ -]?in|sign(?:ed)?[ -]?in|sessions?|permissions?|denied|forbidden|not allowed|api[ -]?keys?)\b/i
/** Methods whose requests may be repeated unchanged, because tests repeat them anyway. */
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Why a test that found nothing proves nothing: the endpoint does not answer its original request as recorded, or the
 * target did not process an attack request (rate limit, server error, block page, dead session). Null when absence is
 * proven.
 *
 * @param fresh what the endpoint answered to its original request in this test; null when it was not asked
 * @throws Failure a code of the sender
 */
export async function absenceDoubt(
  trial: Trial,
  attempts: readonly AttemptRecord[],
  fresh: Exchange | null,
): Promise<Doubt | null> {
  const recorded = trial.tools.sampleOf(trial.endpoint)!
  const stale = baselineDoubt(trial, fresh)
  if (stale !== null) return stale
  for (const { exchange } of attempts) {
    const text = unprocessed(exchange, recorded, trial)
    if (text !== null) return { code: 'ATTACK_NOT_PROCESSED', text }
  }
  if (isAbout(trial.template, GUESSING) && !attempts.some(({ limit }) => limit !== undefined)) {
    const text = `${attempts.length} wrong secrets were answered, and neither a limit nor a row of equal refusals was seen.`
    return { code: 'ATTACK_NOT_PROCESSED', text }
  }
  return staleDoubt(trial, attempts, recorded)
}

/**
 * Why the recorded request proves nothing any more: the endpoint answers it otherwise than recorded. Null when it does
 * not, or was not asked.
 */
export function baselineDoubt(trial: Trial, fresh: Exchange | null): Doubt | null {
  const recorded = trial.tools.sampleOf(trial.endpoint)!
  const text = fresh === null ? null : baselineChange(recorded, fresh, trial)
  return text === null ? null : { code: 'BASELINE_CHANGED', text }
}

/**
 * A recorded request that writes may be stale: its object is gone, its unique value taken. One that carries a token may have
 * spent it, also in this test. Where an attempt was refused and its caller is not why, the original request must still
 * succeed.
 */
async function staleDoubt(
  trial: Trial,
  attempts: readonly AttemptRecord[],
  recorded: Exchange,
): Promise<Doubt | null> {
  const { tools, endpoint, start, template } = trial
  if (!isWelcome(recorded) || isAbout(template, MISSING_LIMIT)) return null
  const isRead = READS.has(endpoint.method)
  const oneTime = oneTimeNames(recorded)
  /** What of an attempt may be refused because it was used, or is too old. */
  const spendableIn = (exchange: Exchange): string[] => [
    ...oneTime,
    ...expiredTokens(draftOf(exchange), exchange.at),
  ]
  const isRefused = (exchange: Exchange): boolean =>
    exchange.response.status >= 400 || failureFlag(recorded, exchange) !== null
  const isForCaller = (exchange: Exchange): boolean =>
    isRefusal(exchange, recorded) && changesCaller(trial, exchange, recorded)
  const refused = attempts.find(
    ({ exchange }) =>
      isRefused(exchange) && (spendableIn(exchange).length > 0 || (!isRead && !isForCaller(exchange))),
  )
  if (refused === undefined) return null
  const { exchange } = refused
  const spendable = spendableIn(exchange)
  const how = failureFlag(recorded, exchange) ?? exchange.response.status
  const now = isRead ? await askAgain(trial, recorded) : await tools.unchangedAnswer(endpoint, start)
  const hint =
    spendable.length === 0
      ? ''
      : ` It carries ${spendable.join(', ')}, which may have been used or have expired: record the request again.`
  if (now === null) {
    const text = `The attack request was refused with ${how}, and the original ${endpoint.method} request cannot be repeated to show that it still works.`
    return { code: 'BASELINE_CHANGED', text: text + hint }
  }
  const change = baselineChange(recorded, now, trial)
  if (change === null) return null
  return { code: 'BASELINE_CHANGED', text: change + hint }
}

/** What a read is answered after the attack: what was answered before may have spent its token. */
async function askAgain(
  { tools, endpoint, start, template }: Trial,
  { response: { status } }: Exchange,
): Promise<Exchange> {
  // As before the attack: a recorded redirect is compared with a redirect.
  const options = { followRedirects: status < 300 || status > 399, testId: template.id, endpoint }
  return (await tools.send(start, options)).exchange
}

/** Why the target did not process an attack request; null when it did. */
function unprocessed(exchange: Exchange, recorded: Exchange, trial: Trial): string | null {
  const { status } = exchange.response
  const limit = isAbout(trial.template, MISSING_LIMIT) ? null : limitShown(exchange, recorded)
  if (limit !== null)
    return `The target answered the attack request with ${limit}, so it was not processed. Run the test again with fewer parallel requests, or with another account.`
  const isAnswer = status === 500 && isAbout(trial.template, IN_ERRORS)
  if (status >= 500 && !isAnswer && recorded.response.status < 500)
    return `The target answered the attack request with a server error (${status}), so it was not processed.`
  if (isBlockPage(exchange) && !isBlockPage(recorded))
    return `A filter in front of the target (WAF or bot protection) answered the attack request with a block page (${status}). Allow the address of Vigil there and run the test again.`
  if (
    (status === 403 || status === 406) &&
    isHtml(exchange) &&
    isJson(recorded) &&
    isSamePath(exchange, recorded) &&
    !changesCaller(trial, exchange, recorded)
  )
    return `The attack request was answered with an HTML page (${status}) where the endpoint answers JSON: something in front of the target blocked it.`
  return null
}

/** Whether a test looks for a limit that is missing: then one that shows is an answer like others. */
export function isAboutLimits(template: Template): boolean {
  return isAbout(template, MISSING_LIMIT)
}

/** Whether a test guesses secrets. */
export function isAboutGuessing(template: Template): boolean {
  return isAbout(template, GUESSING)
}

function isAbout({ info }: Template, weaknesses: ReadonlySet<string>): boolean {
  return info.cwe.some((id) => weaknesses.has(id))
}

function isSamePath(sent: Exchange, recorded: Exchange): boolean {
  const path = (target: string): string => target.split(/[?#]/, 1)[0] ?? ''
  return path(sent.request.target) === path(recorded.request.target)
}

/** Whether an answer refuses its caller, by its status or, where a failure is answered with 200, by what it says. */
function isRefusal(exchange: Exchange, recorded: Exchange): boolean {
  const { status } = exchange.response
  if (status === 401 || status === 403) return true
  if (failureFlag(recorded, exchange) === null) return false
  return new MessageView(exchange).responseBody.leaves.some(
    ({ value }) => typeof value === 'string' && ABOUT_CALLER.test(value),
  )
}

/** How an answer with a status of success says that it failed, where the recorded one succeeded: `"ok": false`; else null. */
function failureFlag(recorded: Exchange, now: Exchange): string | null {
  if (!isWelcome(now)) return null
  const [before, after] = [objectOf(recorded), objectOf(now)]
  if (before === null || after === null) return null
  // A `"status": "failed"` alone may be the state of an object.
  const saysWhy = lostContent(before, after) || givesReason(before, after)
  for (const [key, value] of Object.entries(after)) {
    const old = before[key]
    const isFlag = SUCCESS_FLAG.test(key) && old === true && value === false
    const isWord = saysWhy && RESULT_WORD.test(key) && isText(old, GOOD) && isText(value, BAD)
    if (isFlag || isWord) return `"${key}": ${JSON.stringify(value)}`
  }
  return null
}

/** Whether what an answer was about is gone from it. */
function lostContent(before: JsonObject, after: JsonObject): boolean {
  return Object.keys(before).some((key) => !isEmpty(before[key]) && isEmpty(after[key]))
}

/** Whether an answer explains what the one before did not, and does not name the same object. */
function givesReason(before: JsonObject, after: JsonObject): boolean {
  const isSame = Object.keys(after).some(
    (key) => OBJECT_ID.test(key) && !isEmpty(after[key]) && after[key] === before[key],
  )
  return (
    !isSame &&
    Object.keys(after).some((key) => REASON.test(key) && !isEmpty(after[key]) && after[key] !== before[key])
  )
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return value === undefined || value === null || value === ''
  return Object.keys(value).length === 0
}

function isText(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}

function isWelcome({ response: { status } }: Exchange): boolean {
  return status >= 200 && status < 400
}

/** How the endpoint answers its original request otherwise than recorded; null when it answers as before. */
function baselineChange(recorded: Exchange, now: Exchange, trial: Trial): string | null {
  const [before, status] = [recorded.response.status, now.response.status]
  if (kindOf(before) !== kindOf(status))
    return `The endpoint answered its original request with ${status} instead of ${before}, so the attack requests prove nothing.`
  const failure = failureFlag(recorded, now)
  if (failure !== null)
    return `The endpoint answered its original request with ${failure} instead of its recorded success, so the attack requests prove nothing.`
  if (isBlockPage(now) && !isBlockPage(recorded))
    return 'A filter in front of the target (WAF or bot protection) answered the original request with a block page.'
  const isOtherPage =
    (trial.tools.isDefaultPage(now) && !trial.tools.isDefaultPage(recorded)) ||
    (isJson(recorded) && isHtml(now)) ||
    sharesNoKey(recorded, now)
  return isOtherPage
    ? `The endpoint answers its original request with other content than recorded (status ${status} both times), so the attack requests prove nothing.`
    : null
}

/** An answer that was not modified is as good as the one it refers to (RFC 9110 section 15.4.5). */
function kindOf(status: number): number {
  return status === 304 ? 2 : Math.floor(status / 100)
}

function mediaType({ response }: Exchange): string {
  return (headerValue(response.headers, 'content-type') ?? '').toLowerCase()
}

function isJson(exchange: Exchange): boolean {
  return /[/+]json\b/.test(mediaType(exchange))
}

function isHtml(exchange: Exchange): boolean {
  return /\bhtml\b/.test(mediaType(exchange))
}

/** Two JSON objects without a common key do not say the same: the one is an error, or another interface. */
function sharesNoKey(recorded: Exchange, now: Exchange): boolean {
  const [before, after] = [keysOf(recorded), keysOf(now)]
  if (before === null || after === null || before.length === 0 || after.length === 0) return false
  const known = new Set(before)
  return !after.some((key) => known.has(key))
}

function keysOf(exchange: Exchange): string[] | null {
  const object = objectOf(exchange)
  return object === null ? null : Object.keys(object)
}

/** The JSON object of an answer; null where there is none. */
function objectOf(exchange: Exchange): JsonObject | null {
  const { body } = exchange.response
  if (!isJson(exchange) || body.length > MAX_COMPARED) return null
  try {
    const value: unknown = JSON.parse(body)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? Object.assign(Object.create(null), value) : null
  } catch {
    return null // cut or malformed: it says nothing
  }
}

/** Whether a request was sent with other credentials than the recorded one, or with none. */
function changesCaller(trial: Trial, sent: Exchange, recorded: Exchange): boolean {
  const carriedBefore = carriedCredentials(recorded)
  return (
    trial.credentialNames.some((name) => credentialIn(sent, name) !== credentialIn(recorded, name)) ||
    (carriedBefore.length > 0 && carriedBefore.join(' ') !== carriedCredentials(sent).join(' '))
  )
}

function credentialIn({ request }: Exchange, name: string): string | undefined {
  const header = headerValue(request.headers, name)
  if (header !== undefined) return header
  const pair = (headerValue(request.headers, 'cookie') ?? '').split(';').find(
    (text) =>
      text
        .slice(0, Math.max(text.indexOf('='), 0))
        .trim()
        .toLowerCase() === name.toLowerCase(),
  )
  return pair?.trim()
}
