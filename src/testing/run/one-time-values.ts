import type { Exchange } from '../../http/index.ts'
import { MessageView, textOf } from '../../rules/index.ts'
import { carriedIn, withoutScheme } from '../attempts/credentials.ts'
import type { RequestDraft } from '../attempts/index.ts'
import { readJwt } from '../tokens/jwt.ts'

const NAME =
  /(?:^|[_.-])(?:token|otp|totp|nonce|ticket|csrf|xsrf|captcha|code|pin|challenge|signature|assertion)$/i
/** Words that end no other word, and so need no boundary before them: `requesttoken`, `_wpnonce`. */
const JOINED_NAME = /(?:token|nonce|csrf|captcha|smsotp)$/i
const CAMEL_NAME = /[a-z](?:Otp|OTP|Ticket|Code|Pin|PIN|Challenge|Signature)$/
/** Codes that stand for something, and may be used as often as one likes. */
const LASTING_CODE =
  /(?:postal|post|zip|area|country|state|region|city|product|item|article|lang(?:uage)?|locale|currency|status|error|type|category|tax|bank|sort|branch|airport|color|unit|dial|source)[_.-]?code$/i
/** Shorter values are choices, such as the code of a country. */
const MIN_LENGTH = 4

/** Names of parameters and fields of a request whose values may be accepted once, or for a while. */
export function oneTimeNames(exchange: Exchange): string[] {
  const view = new MessageView(exchange)
  const fields = view.requestBody.leaves.map(({ key, value }) => ({ name: key, value: textOf(value) }))
  const found = [...view.query, ...fields].filter(
    ({ name, value }) => isOneTime(name) && value.length >= MIN_LENGTH,
  )
  return [...new Set(found.map(({ name }) => name))]
}

function isOneTime(name: string): boolean {
  return (NAME.test(name) || JOINED_NAME.test(name) || CAMEL_NAME.test(name)) && !LASTING_CODE.test(name)
}

/** What a request carries of JWTs that have expired (RFC 7519 section 4.1.4), by where they are. */
export function expiredTokens(draft: RequestDraft, atSeconds: number): string[] {
  const isExpired = (text: string): boolean => {
    const expiry = Number(readJwt(withoutScheme(text))?.payload.get('exp') ?? Number.NaN)
    return expiry < atSeconds
  }
  const headers = draft.headers.filter(({ value }) => isExpired(value)).map(({ name }) => name)
  return carriedIn(draft).some(isExpired) ? [...headers, 'an expired token'] : headers
}
