const REDACTED = '[redacted]'
const HEADERS = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
]
/** Names of fields that are remembered, and their longest: clients choose both. */
const MOST_NAMES = 10_000
const LONGEST_NAME = 64
const FIELDS = [
  'password',
  'passwd',
  'pwd',
  'secret',
  'client_secret',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'api_key',
  'apikey',
  'otp',
  'pin',
  'cvv',
  'cvc',
  'card_number',
  'ssn',
]

/**
 * Replaces secrets before anything leaves the process. Header schemes and cookie names stay, since they tell how callers
 * authenticate. A body is kept only in a form in which fields can be found: JSON and URL-encoded forms.
 */
export function createRedactor({ redactHeaders, redactFields }) {
  const headers = new Set([...HEADERS, ...redactHeaders].map((name) => name.toLowerCase()))
  const fields = new Set([...FIELDS, ...redactFields].map(plain))
  /**
   * Answers of isSecret: applications use the same names again and again. An object, since V8 copies the names of
   * properties, whereas a key of a Map can be a slice that keeps the whole query string in memory.
   */
  const known = Object.create(null)
  let count = 0

  function isSecret(name) {
    if (name.length > LONGEST_NAME) return fields.has(plain(name))
    const answer = known[name]
    if (answer !== undefined) return answer
    const found = fields.has(plain(name))
    if (count < MOST_NAMES) {
      known[name] = found
      count++
    }
    return found
  }

  /** Replaces secret fields in place; @returns whether there are some. */
  function replaceSecrets(value) {
    let has = false
    if (Array.isArray(value)) for (const item of value) has = replaceIn(item) || has
    else
      for (const name in value) {
        if (isSecret(name)) {
          value[name] = REDACTED
          has = true
        } else has = replaceIn(value[name]) || has
      }
    return has
  }

  const replaceIn = (value) => typeof value === 'object' && value !== null && replaceSecrets(value)

  function header(name, value) {
    if (!headers.has(name)) return value
    if (name === 'cookie' || name === 'set-cookie')
      return value
        .replace(/=[^;]*/, `=${REDACTED}`)
        .replace(name === 'cookie' ? /(;[^=;]*=)[^;]*/g : /$^/, `$1${REDACTED}`)
    const scheme = /^(\w+) ./.exec(value)?.[1]
    return scheme === undefined ? REDACTED : `${scheme} ${REDACTED}`
  }

  function pairs(text) {
    const values = new URLSearchParams(text)
    for (const name of new Set(values.keys())) if (isSecret(name)) values.set(name, REDACTED)
    return values.toString()
  }

  return {
    /** @param list names and values in turn */
    headers: (list) => list.map(([name, value]) => [name, header(name, value)]),
    path(path) {
      const at = path.indexOf('?')
      return at === -1 ? path : `${path.slice(0, at)}?${pairs(path.slice(at + 1))}`
    },
    body(bytes, contentType) {
      if (bytes.length === 0) return ''
      if (/^application\/x-www-form-urlencoded/i.test(contentType)) return pairs(bytes.toString())
      if (!/^application\/(?:[\w.-]+\+)?json/i.test(contentType)) return ''
      try {
        const text = bytes.toString()
        const value = JSON.parse(text)
        if (JSON.stringify(value) === text) return replaceIn(value) ? JSON.stringify(value) : text
        // The text can hold more than was parsed: of a repeated name only the last value is, and the others may be secrets.
        const exact = JSON.parse(text, keepDigits)
        replaceIn(exact)
        return JSON.stringify(exact)
      } catch {
        return '' // not JSON: nothing tells where its secrets are
      }
    },
  }
}

/** Reviver for numbers that JavaScript would write differently, such as long ids; before Node.js 22 they are rounded. */
const keepDigits =
  JSON.rawJSON &&
  ((_name, value, { source }) =>
    typeof value === 'number' && String(value) !== source ? JSON.rawJSON(source) : value)

/** Field names are equal whatever their case and separators. */
function plain(name) {
  return name.toLowerCase().replace(/[_-]/g, '')
}
