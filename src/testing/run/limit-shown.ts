import { type Exchange, headerValue } from '../../http/index.ts'
import { schemaPercentage } from '../../rules/index.ts'
import type { AttemptRecord } from './pair-result.ts'

/** Characters of an answer that are looked at; what is longer is a page, not a refusal. */
const LOOKED_AT = 4_000
/** Statuses that applications answer with when somebody tried too often. */
const REFUSING = new Set([200, 202, 400, 401, 403, 404, 409, 418, 420, 422, 503])
/** What answers say of a limit or a lock, in languages that applications are written in. */
const LIMIT_WORDS = new RegExp(
  [
    // English
    'too many (?:\\w+ ){0,3}(?:attempts|requests|tries|logins|failures|times)|too_many|rate.?limit|throttl|slow down',
    '(?:account|user|login|profile|access|ip)[^.]{0,40}\\b(?:locked|lock(?:ed)? out|suspended|temporarily (?:disabled|blocked|unavailable)|blocked)\\b|lockout',
    '(?:try|come back|retry) again (?:later|in|after)|retry.?after|(?:maximum|max|number of) (?:\\w+ ){0,3}attempts|attempts? (?:exceeded|limit)',
    'temporarily (?:locked|blocked|suspended)|account (?:is )?locked|wait \\d+ ?(?:s|sec|min|hour)',
    // German, French, Spanish, Portuguese, Italian, Dutch
    'zu viele|gesperrt|sp\\u00e4ter (?:erneut|noch ?mal|wieder)|trop de|verrouill|bloqu\\u00e9|r\\u00e9essayez|demasiad[oa]s|bloquead[oa]',
    'int\\u00e9ntel[oa] (?:de nuevo )?m\\u00e1s tarde|muitas tentativas|tente novamente|troppi|bloccat|riprova pi\\u00f9|te veel|geblokkeerd|vergrendeld',
    // Polish, Czech, Turkish, Indonesian, Swedish, Danish
    'zbyt wiele|zablokowan|p\\u0159\\u00edli\\u0161 mnoho|zablokov\\u00e1n|\\u00e7ok fazla|kilitlen|terlalu banyak|terkunci|f\\u00f6r m\\u00e5nga|for mange|sp\\u00e4rrat|sp\\u00e6rret',
    // Russian, Ukrainian, Chinese, Japanese, Korean, Arabic, Hindi
    '\\u0441\\u043b\\u0438\\u0448\\u043a\\u043e\\u043c \\u043c\\u043d\\u043e\\u0433\\u043e|\\u0437\\u0430\\u0431\\u043b\\u043e\\u043a\\u0438\\u0440|\\u043f\\u043e\\u043f\\u0440\\u043e\\u0431\\u0443\\u0439\\u0442\\u0435 \\u043f\\u043e\\u0437\\u0436\\u0435|\\u0437\\u0430\\u043d\\u0430\\u0434\\u0442\\u043e',
    '\\u8fc7\\u591a|\\u9891\\u7e41|\\u9501\\u5b9a|\\u7a0d\\u540e|\\u30ed\\u30c3\\u30af|\\u56de\\u6570|\\u3057\\u3070\\u3089\\u304f|\\uc7a0\\uacbc|\\ub108\\ubb34 \\ub9ce|\\uc7a0\\uc2dc \\ud6c4|\\u0645\\u062d\\u0627\\u0648\\u0644\\u0627\\u062a|\\u0932\\u0949\\u0915',
  ].join('|'),
  'i',
)
const CAPTCHA =
  /captcha|cf-turnstile|challenges\.cloudflare\.com|are you (?:a )?(?:human|robot)|arkose|geetest/i
/** An answer this much slower than the first ones was held back. */
const SLOWER = 5
const SLOWER_MS = 1_000
/** A limit holds back this number of answers in a row; fewer are late when something else keeps the application busy. */
const DELAYED = 3

/**
 * What shows that an answer comes from a limit, a lock or a captcha instead of the function: its status, its headers or
 * its words. Null where nothing does, or the recorded answer says the same.
 */
export function limitShown(answer: Exchange, recorded: Exchange | null): string | null {
  const { status, headers, body } = answer.response
  if (status === 429) return 'too many requests (429)'
  if (status === 423) return 'a lock (423)'
  const waits = headerValue(headers, 'retry-after')
  if (waits !== undefined && (status === 403 || status === 503))
    return `${status} with Retry-After: ${waits.slice(0, 40)}`
  if (status >= 400 && remaining(headers) === 0) return `${status} with no request left in its limit`
  if (!REFUSING.has(status) || body.length > LOOKED_AT) return null
  const before = recorded?.response.body.slice(0, LOOKED_AT) ?? ''
  // A success may well speak of locks: then it looks like the recorded one.
  if (status < 300 && recorded !== null && schemaPercentage(body, recorded.response.body) >= 50) return null
  if (CAPTCHA.test(body) && !CAPTCHA.test(before)) return `a captcha (${status})`
  const words = LIMIT_WORDS.exec(body)?.[0]
  return words === undefined || LIMIT_WORDS.test(before) ? null : `"${words.slice(0, 60)}" (${status})`
}

function remaining(headers: readonly string[]): number | null {
  for (const name of ['ratelimit-remaining', 'x-ratelimit-remaining', 'x-rate-limit-remaining']) {
    const value = headerValue(headers, name)
    if (value !== undefined && /^\d+$/.test(value.trim())) return Number(value)
  }
  return null
}

/**
 * What shows that a series of like requests ran into a limit with its last one: {@link limitShown}, another answer than
 * to the first ones, whatever its language, or a delay. Null while all are answered alike.
 *
 * @param earlier the attempts before, in order
 */
export function limitInSeries(
  last: Pick<AttemptRecord, 'exchange' | 'responseTimeMs'>,
  earlier: readonly AttemptRecord[],
  recorded: Exchange | null,
): string | null {
  const shown = limitShown(last.exchange, recorded)
  if (shown !== null) return shown
  const [first, second] = earlier
  if (first === undefined || second === undefined) return null
  if (last.exchange.response.status >= 500) return null
  // Answers that differ from each other anyway tell nothing by being different.
  if (
    sayingOf(first.exchange) === sayingOf(second.exchange) &&
    sayingOf(last.exchange) !== sayingOf(first.exchange)
  )
    return `another answer than to the first ones (${last.exchange.response.status})`
  const usual = Math.max(first.responseTimeMs, second.responseTimeMs)
  const isHeld = (ms: number): boolean => ms > usual * SLOWER && ms > usual + SLOWER_MS
  const late = [...earlier.slice(1 - DELAYED), last]
  return late.length === DELAYED && late.every(({ responseTimeMs }) => isHeld(responseTimeMs))
    ? `a delay of ${Math.round(last.responseTimeMs / 100) / 10} s`
    : null
}

/** Status and words of an answer, without what differs in every one: times, counters, ids. */
function sayingOf({ response: { status, body } }: Exchange): string {
  return `${status} ${body.replace(/[A-Za-z0-9_-]{20,}|[0-9a-f-]{6,}|\d+/gi, '#')}`
}
