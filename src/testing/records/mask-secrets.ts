import type { Exchange, HeaderList } from '../../http/index.ts'

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
/** A shorter text would be found everywhere. */
const MIN_SECRET = 6
const KEPT = 4
const MASK = '***'

/** The first characters of a secret, so that people can tell two apart, and the mask. */
export function maskText(secret: string): string {
  return secret.length <= KEPT * 2 ? MASK : secret.slice(0, KEPT) + MASK
}

/** Credentials keep their scheme: `Bearer eyJh***`. */
function maskHeaderValue(value: string): string {
  const space = value.indexOf(' ')
  if (space > 0 && space <= 12 && !value.slice(0, space).includes('=')) {
    return `${value.slice(0, space)} ${maskText(value.slice(space + 1))}`
  }
  return maskText(value)
}

/**
 * Replaces credentials in messages: the values of headers that carry them, and each of the given secrets wherever it
 * stands. Secrets shorter than 6 characters are looked for in headers alone.
 */
export class SecretMask {
  readonly #secrets: readonly string[]
  readonly #headers: ReadonlySet<string>

  /** @param headers further names of headers that carry credentials, in any case */
  constructor(secrets: readonly string[], headers: readonly string[] = []) {
    const long = secrets.filter((secret) => secret.length >= MIN_SECRET)
    this.#secrets = [...new Set(long)].sort((a, b) => b.length - a.length)
    this.#headers = new Set(headers.map((name) => name.toLowerCase()))
  }

  /** The text without the secrets. */
  text(text: string): string {
    return this.#secrets.reduce((masked, secret) => masked.replaceAll(secret, maskText(secret)), text)
  }

  /** The exchange without credentials. A body of raw bytes stays as it is. */
  exchange(exchange: Exchange): Exchange {
    const { request, response } = exchange
    return {
      ...exchange,
      request: {
        ...request,
        target: this.text(request.target),
        headers: this.#maskHeaders(request.headers),
        body: request.bodyIsBase64 ? request.body : this.text(request.body),
      },
      response: {
        ...response,
        headers: this.#maskHeaders(response.headers),
        body: response.bodyIsBase64 ? response.body : this.text(response.body),
      },
    }
  }

  #maskHeaders(headers: HeaderList): HeaderList {
    return headers.map((part, index) => {
      if (index % 2 === 0) return part
      const name = headers[index - 1]!.toLowerCase()
      return SECRET_HEADERS.has(name) || this.#headers.has(name) ? maskHeaderValue(part) : this.text(part)
    })
  }
}
