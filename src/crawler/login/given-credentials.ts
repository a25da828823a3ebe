/** A header with the mask that replaces its value in what is stored. */
interface MaskedHeader {
  /** Lower case. */
  readonly name: string
  readonly value: string
  readonly mask: string
}

/** What headers that a crawl was given say of who calls. */
export interface GivenCredentials {
  /** Names and passwords of Basic credentials (RFC 7617). */
  readonly users: readonly string[]
  readonly secrets: readonly string[]
  /** Keys and tokens that are looked for everywhere, with their masks. */
  readonly tokens: readonly (readonly [token: string, mask: string])[]
  /** Values that are masked in their own header, whatever they are. */
  readonly headers: readonly MaskedHeader[]
  /** The same of cookies, by their names. */
  readonly cookies: readonly MaskedHeader[]
}

/** In place of a token: long and varied enough to be taken for one where kinds of authentication are recognised. */
const TOKEN_MASK = '***masked***'
const SHORT_MASK = '***'
/** Claims and signature of a masked token (RFC 7519): none, and the word "masked". */
const MASKED_CLAIMS = '.e30.bWFza2Vk'
/** Names of headers whose values are credentials; other values may be words that pages show as well. */
const CREDENTIAL_NAME = /auth|token|key|secret|session|sid$|jwt|pass|cred|signature|cookie/i
/** Shorter values, and those without digits, may be words and settings that pages show as well. */
const MIN_VARIED = 12

/**
 * Takes headers apart into what has to be masked. Masks keep the form: scheme, name of the account, header of a JSON Web
 * Token.
 *
 * @param isEvery whether all headers are credentials; else those with the name of one
 */
export function givenCredentials(
  headers: Readonly<Record<string, string>>,
  isEvery: boolean,
): GivenCredentials {
  const users: string[] = []
  const secrets: string[] = []
  const tokens: [string, string][] = []
  const own: MaskedHeader[] = []
  const cookies: MaskedHeader[] = []
  for (const [header, given] of Object.entries(headers)) {
    const name = header.toLowerCase()
    const value = given.trim()
    const isNamed = CREDENTIAL_NAME.test(name)
    if (value === '' || !(isEvery || isNamed)) continue
    if (name === 'cookie') {
      for (const cookie of cookiesOf(value)) {
        cookies.push({ ...cookie, mask: maskOf(cookie.value) })
        if (isVaried(cookie.value)) tokens.push([cookie.value, maskOf(cookie.value)])
      }
      continue
    }
    const { scheme, token } = schemeAndToken(value)
    const account = scheme.toLowerCase() === 'basic ' ? accountOf(token) : null
    if (account !== null) {
      users.push(account.user)
      secrets.push(account.password)
      own.push({ name, value, mask: scheme + base64(`${account.user}:${SHORT_MASK}`) })
    } else {
      own.push({ name, value, mask: scheme + maskOf(token) })
      if (isNamed && (isEvery || isVaried(token))) tokens.push([token, maskOf(token)])
    }
  }
  return { users, secrets, tokens, headers: own, cookies }
}

function isVaried(token: string): boolean {
  return token.length >= MIN_VARIED && /\d/.test(token)
}

function maskOf(token: string): string {
  const [joseHeader = '', ...rest] = token.split('.', 3)
  if (joseHeader.startsWith('eyJ') && rest.length === 2) return joseHeader + MASKED_CLAIMS
  return token.length < MIN_VARIED ? SHORT_MASK : TOKEN_MASK
}

/** `Bearer abc` is a scheme, with its blank, and a token; a value of one word has no scheme. */
function schemeAndToken(value: string): { scheme: string; token: string } {
  const blank = value.indexOf(' ')
  const scheme = /^[A-Za-z][\w-]{0,40} $/.test(value.slice(0, blank + 1)) ? value.slice(0, blank + 1) : ''
  return { scheme, token: value.slice(scheme.length).trim() }
}

function accountOf(token: string): { user: string; password: string } | null {
  const text = Buffer.from(token, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** Names and values of a Cookie header (RFC 6265 section 4.2.1). */
export function cookiesOf(header: string): { name: string; value: string }[] {
  return header.split(';').flatMap((pair) => {
    const equals = pair.indexOf('=')
    return equals <= 0 ? [] : [{ name: pair.slice(0, equals).trim(), value: pair.slice(equals + 1).trim() }]
  })
}
