import type { Exchange, HeaderList } from '../../http/index.ts'
import { cookiesOf, type GivenCredentials } from './given-credentials.ts'

/** What somebody signs in with. */
export interface KnownCredentials extends Partial<GivenCredentials> {
  /** Names of the account; they stay readable. */
  readonly users: readonly string[]
  /** Passwords and the like. */
  readonly secrets: readonly string[]
}

const MASK = '***'
/** A shorter text would be found everywhere: it is looked for only where it stands as a whole value. */
const MIN_ANYWHERE = 6
/** Marks around a whole value: quotes, signs of forms and queries, tags, lines. */
const BEFORE_VALUE = `(?<=^|["'=>\\n])`
const AFTER_VALUE = `(?=["'\\\\&;<\\s]|$)`
/** A key of a form or of JSON whose value is a credential, before that value. */
const AFTER_SECRET_KEY = `(?<=(?:pass|pwd|pin|secret|otp|code|auth)[^"=&]{0,40}(?:=|"\\s{0,3}:\\s{0,3}"))`

/**
 * Takes the secrets of a login out of what is captured, in every form that browsers and scripts send them in: plain,
 * escaped for forms, URLs, JSON and HTML, and in Base64 with the name of the account (RFC 7617) or without. Secrets of
 * fewer than six characters are replaced where they are a whole value: of any request of the login, elsewhere under a
 * key that names a credential. Keys and tokens that the crawl was given are replaced in the same forms, and in their own
 * header or cookie however short they are; their replacements are of the same kind.
 */
export class CredentialMask {
  /** Forms of the secrets with what is put there, the longest first. */
  readonly #anywhere: readonly (readonly [string, string])[]
  readonly #inLogin: readonly RegExp[]
  readonly #underKeys: readonly RegExp[]
  /** Masks of whole values, by header or cookie and value. */
  readonly #headers: ReadonlyMap<string, string>
  readonly #cookies: ReadonlyMap<string, string>

  constructor({ users, secrets, tokens = [], headers = [], cookies = [] }: KnownCredentials) {
    const masks = new Map<string, string>()
    for (const [token, mask] of tokens) for (const form of formsOf(token)) masks.set(form, mask)
    this.#headers = new Map(headers.map(({ name, value, mask }) => [`${name} ${value}`, mask]))
    this.#cookies = new Map(cookies.map(({ name, value, mask }) => [`${name} ${value}`, mask]))
    for (const secret of secrets.filter((one) => one !== '')) {
      for (const form of formsOf(secret)) masks.set(form, MASK)
      for (const user of users)
        for (const code of base64Of(`${user}:${secret}`)) masks.set(code, base64Of(`${user}:${MASK}`)[0]!)
    }
    const known = [...masks].sort(([a], [b]) => b.length - a.length)
    this.#anywhere = known.filter(([form]) => form.length >= MIN_ANYWHERE)
    const short = known.flatMap(([form]) => (form.length < MIN_ANYWHERE ? [literal(form)] : []))
    this.#inLogin = short.map((form) => new RegExp(BEFORE_VALUE + form + AFTER_VALUE, 'g'))
    this.#underKeys = short.map((form) => new RegExp(AFTER_SECRET_KEY + form + AFTER_VALUE, 'gi'))
  }

  /** A text without the secrets. */
  text(text: string): string {
    return this.#masked(text, this.#underKeys)
  }

  /** An exchange without the secrets. @param isLogin whether it is part of the login itself */
  exchange(exchange: Exchange, isLogin: boolean): Exchange {
    if (this.#isEmpty) return exchange
    const { request, response } = this.#withoutGiven(exchange)
    const whole = isLogin ? this.#inLogin : this.#underKeys
    return {
      ...exchange,
      request: { ...request, target: this.#masked(request.target, whole), ...this.#message(request, whole) },
      response: { ...response, ...this.#message(response, this.#underKeys) },
    }
  }

  get #isEmpty(): boolean {
    const { size } = this.#headers
    return this.#anywhere.length === 0 && this.#inLogin.length === 0 && size + this.#cookies.size === 0
  }

  /** An exchange whose request has none of the given headers and cookies. */
  #withoutGiven(exchange: Exchange): Exchange {
    if (this.#headers.size + this.#cookies.size === 0) return exchange
    const headers = exchange.request.headers.map((part, index, all) =>
      index % 2 === 0 ? part : this.#headerValue(all[index - 1]!.toLowerCase(), part),
    )
    return { ...exchange, request: { ...exchange.request, headers } }
  }

  #headerValue(name: string, value: string): string {
    if (name !== 'cookie') return this.#headers.get(`${name} ${value}`) ?? value
    if (this.#cookies.size === 0) return value
    const pairs = cookiesOf(value).map((cookie) => {
      const mask = this.#cookies.get(`${cookie.name} ${cookie.value}`)
      return `${cookie.name}=${mask ?? cookie.value}`
    })
    return pairs.join('; ')
  }

  #message(message: Message, whole: readonly RegExp[]): Pick<Message, 'headers' | 'body'> {
    const body = this.#body(message, whole)
    const headers = message.headers.map((part, index) => (index % 2 === 0 ? part : this.#masked(part, whole)))
    if (body === message.body) return { headers, body }
    // The length of the real body would tell how long the secret is.
    const length = Buffer.byteLength(body, message.bodyIsBase64 ? 'base64' : 'utf8')
    return { headers: withLength(headers, String(length)), body }
  }

  #body({ body, bodyIsBase64 }: Message, whole: readonly RegExp[]): string {
    if (!bodyIsBase64) return this.#masked(body, whole)
    // Each byte one character: the secrets are looked for as bytes too.
    const bytes = Buffer.from(body, 'base64').toString('latin1')
    const masked = this.#anywhere.reduce(
      (rest, [form, mask]) => {
        const found = Buffer.from(form).toString('latin1')
        return rest.includes(found) ? rest.replaceAll(found, mask) : rest
      },
      replaceWhole(bytes, whole),
    )
    return masked === bytes ? body : Buffer.from(masked, 'latin1').toString('base64')
  }

  #masked(text: string, whole: readonly RegExp[]): string {
    const rest = this.#anywhere.reduce(
      (known, [form, mask]) => (known.includes(form) ? known.replaceAll(form, mask) : known),
      text,
    )
    return replaceWhole(rest, whole)
  }
}

interface Message {
  readonly headers: HeaderList
  readonly body: string
  readonly bodyIsBase64?: boolean
}

function replaceWhole(text: string, patterns: readonly RegExp[]): string {
  return patterns.reduce((rest, pattern) => rest.replace(pattern, MASK), text)
}

function formsOf(secret: string): Set<string> {
  const json = JSON.stringify(secret).slice(1, -1)
  const ascii = json.replace(
    /[\u0080-\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1)
  const inUrl = encodeURIComponent(secret.toWellFormed())
  const html = secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
  const plain = [secret, json, ascii, json.replaceAll('/', '\\/'), JSON.stringify(json).slice(1, -1), html]
  const coded = [inForm, inUrl, encodeURIComponent(json.toWellFormed()), encodeURIComponent(inUrl)]
  const lower = coded.map((text) => text.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()))
  return new Set([...plain, ...coded, ...lower, html.replaceAll("'", '&#39;'), ...base64Of(secret)])
}

/** With and without padding, in both alphabets (RFC 4648). */
function base64Of(text: string): string[] {
  const usual = Buffer.from(text).toString('base64')
  const latin = Buffer.from(text, 'latin1').toString('base64')
  const all = [usual, Buffer.from(text).toString('base64url'), latin, usual.replace(/=+$/, '')]
  return [...all, ...all.map((code) => encodeURIComponent(code))]
}

function withLength(headers: HeaderList, length: string): string[] {
  return headers.map((part, index) =>
    index % 2 === 1 && headers[index - 1]!.toLowerCase() === 'content-length' ? length : part,
  )
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
