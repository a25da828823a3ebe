import { hash, randomBytes } from 'node:crypto'
import type { Exchange, HeaderList } from '../../http/index.ts'
import { SecretFinder } from './secret-finder.ts'

/** Headers whose values are credentials whatever they hold, lower case. */
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'apikey',
  'x-auth-token',
  'x-access-token',
  'access-token',
  'x-csrf-token',
  'x-xsrf-token',
  'x-amz-security-token',
])
/** A shorter text would be found everywhere: it is looked for only where it stands as a whole value. */
const MIN_SECRET = 6
/** One of a sign or two is not a secret. */
const MIN_SHORT_SECRET = 3
/** Marks around a whole value: quotes, signs of forms and queries, tags. */
const BEFORE_VALUE = `(?<=["'=>])`
const AFTER_VALUE = `(?=["'\\\\&;<\\s]|$)`
/** A short secret without the signs that end a value, and those signs. */
const SHORT_VALUE = `[^"'\\\\&;<\\s]{3,5}`
const SIGN_AFTER_VALUE = /["'\\&;<\s]/
/** A JSON key whose value is a credential, before it. */
const SECRET_KEY = `(?<="[^"]{0,40}(?:pass|pin|token|secret|key|otp|code|auth)[^"]{0,40}"\\s{0,3}:\\s{0,3}")`
const KEPT = 4
const MASK = '***'

/** Characters of the digest that tells masks of different secrets apart. */
const DIGEST_LENGTH = 6
/** A signed token (RFC 7519) in compact form; each part is of other signs than the dots between them. */
const JWT = /\beyJ[A-Za-z0-9_-]{4,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]+/g
const MASKED_SIGNATURE = 'masked-'
/** Strings and numbers of a document that is JSON. */
const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

/** The first characters of a secret and the mask. */
export function maskText(secret: string): string {
  return secret.length <= KEPT * 2 ? MASK : secret.slice(0, KEPT) + MASK
}

/** Finds the values of sensitive data types in a message. */
type FindSensitive = (exchange: Exchange) => readonly string[]

/** A masked value, and the secret behind each mask in it. */
interface Masked<T> {
  readonly value: T
  readonly secrets: ReadonlyMap<string, string>
}

/**
 * Replaces credentials in messages: the values of headers that carry them, each of the given secrets and every signed
 * token wherever it stands, in bodies of raw bytes too. Secrets of 3 to 5 characters are replaced where they are a whole
 * value: anywhere in requests, in answers under a key that names a credential; elsewhere they are words like others.
 * Equal secrets have equal masks and different ones different masks, and a token stays one in form, so that conditions
 * see what they saw.
 */
export class SecretMask {
  #secrets: readonly string[] = []
  #shortSecrets: readonly string[] = []
  readonly #headers: ReadonlySet<string>
  /** Masks cannot be tried out: the key is kept nowhere. */
  readonly #key = randomBytes(16).toString('hex')
  #replaced: Map<string, string> | null = null
  readonly #sensitiveIn: FindSensitive
  /** Sensitive values of the messages that are masked now, the longest first. */
  #sensitive: readonly string[] = []
  /** Those that are masked only where they are a whole value, such as the code of a card. */
  #shortSensitive: ReadonlySet<string> = new Set()
  /** Of all secrets that are looked for now, and of their bytes; null until they are asked. */
  #finder: SecretFinder | null = null
  #byteFinder: SecretFinder | null = null

  /**
   * @param headers further names of headers that carry credentials, in any case
   * @param sensitiveIn finds values of sensitive data types, which are masked like secrets
   */
  constructor(
    secrets: readonly string[],
    headers: readonly string[] = [],
    sensitiveIn: FindSensitive = () => [],
  ) {
    this.learn(secrets)
    this.#headers = new Set(headers.map((name) => name.toLowerCase()))
    this.#sensitiveIn = sensitiveIn
  }

  /** Looks for sensitive values in the messages that are masked next; those of other messages are forgotten. */
  scan(messages: readonly Exchange[]): void {
    const found = messages.flatMap((message) => this.#sensitiveIn(message))
    const written = found.flatMap((value) => {
      const encoded = encodeURIComponent(value.toWellFormed())
      return [value, encoded, encoded.replaceAll('%20', '+')] // forms write blanks in another way
    })
    this.#sensitive = [...new Set(written)]
      .filter(({ length }) => length >= MIN_SECRET)
      .sort((a, b) => b.length - a.length)
    this.#shortSensitive = new Set(
      found.filter(({ length }) => length >= MIN_SHORT_SECRET && length < MIN_SECRET),
    )
    this.#forgetFinders()
  }

  /** Takes further secrets in, such as the token of a login. */
  learn(secrets: readonly string[]): void {
    const bare = secrets.map(withoutScheme)
    const long = bare.filter((secret) => secret.length >= MIN_SECRET)
    const short = bare.filter(({ length }) => length >= MIN_SHORT_SECRET && length < MIN_SECRET)
    this.#secrets = [...new Set([...this.#secrets, ...long])].sort((a, b) => b.length - a.length)
    this.#shortSecrets = [...new Set([...this.#shortSecrets, ...short])]
    this.#forgetFinders()
  }

  #forgetFinders(): void {
    this.#finder = null
    this.#byteFinder = null
  }

  /** Masks with a note of what was replaced. */
  noting<T>(work: () => T): Masked<T> {
    const replaced = new Map<string, string>()
    this.#replaced = replaced
    try {
      return { value: work(), secrets: replaced }
    } finally {
      this.#replaced = null
    }
  }

  /** The text without the secrets. */
  text(text: string): string {
    this.#finder ??= new SecretFinder([...this.#secrets, ...this.#sensitive])
    return this.#text(text, this.#finder)
  }

  /** A part of a text, which may begin or end within a secret. */
  excerpt(text: string): string {
    return withoutCutSecrets(this.text(text), [...this.#secrets, ...this.#sensitive])
  }

  /** The exchange without credentials. */
  exchange(exchange: Exchange): Exchange {
    const { request, response } = exchange
    return {
      ...exchange,
      request: {
        ...request,
        target: this.#values(this.text(request.target), BEFORE_VALUE),
        headers: this.#maskHeaders(request.headers),
        body: request.bodyIsBase64
          ? this.#bytes(request.body)
          : this.#values(this.#body(request.body), BEFORE_VALUE),
      },
      response: {
        ...response,
        headers: this.#maskHeaders(response.headers),
        body: response.bodyIsBase64
          ? this.#bytes(response.body)
          : this.#values(this.#body(response.body), SECRET_KEY),
      },
    }
  }

  /** The value of a header that carries a credential: schemes, names and attributes of cookies stay. */
  headerValue(name: string, value: string): string {
    if (name === 'cookie')
      return value
        .split(';')
        .map((pair) => this.#maskPair(pair))
        .join(';')
    if (name === 'set-cookie') {
      const end = value.indexOf(';')
      return end < 0 ? this.#maskPair(value) : this.#maskPair(value.slice(0, end)) + value.slice(end)
    }
    const bare = withoutScheme(value)
    return value.slice(0, value.length - bare.length) + this.#maskOf(bare)
  }

  #text(text: string, secrets: SecretFinder): string {
    const masked = secrets.replace(text, (secret) => this.#maskOf(secret))
    return masked.includes('eyJ') ? masked.replaceAll(JWT, (token) => this.#maskOf(token)) : masked
  }

  /** A body as text; JSON stays JSON: numbers become other numbers, and values behind escapes are found. */
  #body(body: string): string {
    const masked = this.text(body)
    const isDone = masked === body && !body.includes('\\') && this.#shortSensitive.size === 0
    if (isDone || !isJson(body)) return masked
    return body.replace(JSON_TOKEN, (token) => {
      if (!token.startsWith('"')) return this.#value(token) === token ? token : this.#numberFor(token)
      const plain = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1)
      const text = this.#value(plain)
      return text === plain ? token : JSON.stringify(text)
    })
  }

  /** A whole value without the secrets. */
  #value(value: string): string {
    return this.#shortSensitive.has(value) ? this.#maskOf(value) : this.text(value)
  }

  /** The mask of a number: a number again, so that its document keeps its types. */
  #numberFor(secret: string): string {
    const digits = secret.replace(/\D/g, '').replace(/^0+/, '')
    const head = digits.length <= KEPT * 2 ? '9' : digits.slice(0, KEPT)
    const digest = Number.parseInt(this.#digestOf(secret), 16) % 10 ** DIGEST_LENGTH
    const mask = `${head}00000${String(digest).padStart(DIGEST_LENGTH, '0')}`
    this.#replaced?.set(mask, secret)
    return mask
  }

  #digestOf(secret: string): string {
    // A tenth of what an HMAC takes, and a message may hold thousands: of a cut hash nothing can be extended.
    return hash('sha256', this.#key + secret).slice(0, DIGEST_LENGTH)
  }

  /** Short secrets that are whole values. */
  #values(text: string, before: string): string {
    const shorts = [...this.#shortSecrets, ...this.#shortSensitive]
    if (shorts.length === 0) return text
    const plain = new Set(shorts.filter((secret) => !SIGN_AFTER_VALUE.test(secret)))
    const masked = text.replace(new RegExp(`${before}${SHORT_VALUE}${AFTER_VALUE}`, 'gi'), (found) =>
      plain.has(found) ? this.#maskOf(found) : found,
    )
    return shorts
      .filter((secret) => !plain.has(secret))
      .reduce((rest, secret) => {
        if (!rest.includes(secret)) return rest
        const value = secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
        return rest.replace(new RegExp(`${before}${value}${AFTER_VALUE}`, 'gi'), (found) =>
          found === secret ? this.#maskOf(secret) : found,
        )
      }, masked)
  }

  /** A body in base64, its bytes without the secrets. */
  #bytes(body: string): string {
    const bytes = Buffer.from(body, 'base64').toString('latin1')
    this.#byteFinder ??= new SecretFinder(
      [...this.#secrets, ...this.#sensitive].map((secret) => Buffer.from(secret).toString('latin1')),
    )
    const masked = this.#text(bytes, this.#byteFinder)
    if (masked === bytes) return body
    const kept = Buffer.from(masked, 'latin1').toString('base64')
    this.#replaced?.set(kept, body)
    return kept
  }

  #maskHeaders(headers: HeaderList): HeaderList {
    return headers.map((part, index) => {
      if (index % 2 === 0) return part
      const name = headers[index - 1]!.toLowerCase()
      return SECRET_HEADERS.has(name) || this.#headers.has(name)
        ? this.headerValue(name, part)
        : this.text(part)
    })
  }

  /** `name=value` of a cookie. */
  #maskPair(pair: string): string {
    const equals = pair.indexOf('=')
    const start = equals + 1
    return equals < 0 && pair.trim() === '' ? pair : pair.slice(0, start) + this.#maskOf(pair.slice(start))
  }

  #maskOf(secret: string): string {
    if (secret === '') return ''
    const [head = '', payload = '', signature = ''] = secret.split('.')
    const isToken = secret.startsWith('eyJ') && secret.replace(JWT, '') === ''
    if (isToken && signature.startsWith(MASKED_SIGNATURE)) return secret
    const digest = this.#digestOf(secret)
    const mask = isToken
      ? `${head}.${maskedPayload(digest, payload)}.${MASKED_SIGNATURE}${digest}`
      : maskText(secret) + digest
    this.#replaced?.set(mask, secret)
    return mask
  }
}

/** When a token expires stays: verdicts rest on it. */
function maskedPayload(digest: string, payload: string): string {
  const expiry = /"exp"\s*:\s*(\d{1,15})\b/.exec(Buffer.from(payload, 'base64url').toString('utf8'))?.[1]
  const exp = expiry === undefined ? {} : { exp: Number(expiry) }
  return Buffer.from(JSON.stringify({ masked: digest, ...exp })).toString('base64url')
}

/** This many characters of a secret tell more than its mask does. */
const TELLING = 5

/** A text without the part of a secret that it begins or ends with. */
export function withoutCutSecrets(text: string, secrets: Iterable<string>): string {
  const lead = text.startsWith('…') ? 1 : 0
  const tail = text.endsWith('…') ? 1 : 0
  let part = text.slice(lead, text.length - tail)
  for (const secret of secrets) {
    if (secret.length <= TELLING) continue
    const begun = part.lastIndexOf(secret.slice(0, TELLING))
    if (begun >= 0 && secret.startsWith(part.slice(begun))) part = part.slice(0, begun) + MASK
    const end = part.indexOf(secret.slice(-TELLING)) + TELLING
    if (end >= TELLING && secret.endsWith(part.slice(0, end))) part = MASK + part.slice(end)
  }
  return '…'.repeat(lead) + part + '…'.repeat(tail)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // judged as plain text
  }
}

/** A credential without the scheme in front (RFC 9110 section 11.1). */
function withoutScheme(value: string): string {
  const space = value.indexOf(' ')
  const hasScheme = space > 0 && space <= 12 && !value.slice(0, space).includes('=')
  return hasScheme ? value.slice(space + 1) : value
}
