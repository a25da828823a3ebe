/** One request of a login, as a person described it; every text may hold placeholders. */
export interface LoginStep {
  /** Under which later texts find it: `x1`, `x3`, `x5` …, and the name that the description gives. */
  readonly names: readonly string[]
  readonly method: string
  readonly url: string
  /** Without question mark. */
  readonly query: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** Go on whatever it answers; otherwise a status of 400 or more ends the login. */
  readonly allowsAnyStatus: boolean
  readonly followRedirects: boolean
  readonly takes: readonly Take[]
  /** Secret of the one-time code that `${totp}` stands for; null without one. */
  readonly totp: string | null
}

/** A value to keep of an answer under its own name. */
export interface Take {
  readonly name: string
  readonly from: 'BODY' | 'HEADER' | 'COOKIE' | 'STATUS'
  /** Path in a JSON body, name of a header or cookie; '' stands for the whole body. */
  readonly key: string
  /** Keeps the first group of the first match, or the match itself without a group. */
  readonly regex: string | null
}

const MAX_STEPS = 20
const MAX_TEXT = 1024 * 1024
const MAX_PARTS = 100
/** Kinds of steps that wait for something outside of HTTP. */
const NEEDS_PERSON = /EMAIL|MOBILE|OTP|CODE|TOTP/

/**
 * Reads the steps of a login. A step has `url` (absolute, or a path at the target of the run) and, as needed, `method`,
 * `queryParams`, `headers` (an object, its JSON text, or lines `name: value`), `body` (text, or JSON), `name`,
 * `extract` (`[{name, from: BODY|HEADER|COOKIE|STATUS, key, regex}]`), `allowAllStatusCodes`, `followRedirects`, and
 * `totp`, the secret of the one-time code that `${totp}` stands for (base32, or an `otpauth://totp/` URI).
 *
 * @returns a sentence about the first thing that is wrong
 */
export function readLoginSteps(described: readonly Record<string, unknown>[]): LoginStep[] | string {
  if (described.length === 0) return 'the login has no steps'
  if (described.length > MAX_STEPS) return `the login has more than ${MAX_STEPS} steps`
  const steps: LoginStep[] = []
  for (const [index, one] of described.entries()) {
    const step = readStep(one, index)
    if (typeof step === 'string') return `step ${index + 1} of the login ${step}`
    steps.push(step)
  }
  return steps
}

/** Names count in odd numbers: the even ones stand for the waiting between two requests. */
export function stepName(index: number): string {
  return `x${2 * index + 1}`
}

function readStep(one: Record<string, unknown>, index: number): LoginStep | string {
  const kind = textOf(one['type']).toUpperCase()
  if (NEEDS_PERSON.test(kind)) return `waits for a code (${kind}), which only a person can bring`
  const url = textOf(one['url']).trim()
  if (url === '') return 'has no URL'
  const headers = readHeaders(one['headers'])
  if (headers === null) return 'has headers that cannot be read'
  const body = one['body']
  const text = typeof body === 'object' && body !== null ? JSON.stringify(body) : textOf(body)
  if (url.length + text.length > MAX_TEXT) return 'is too long'
  const name = textOf(one['name']).trim()
  return {
    names: name === '' ? [stepName(index)] : [stepName(index), name],
    method: textOf(one['method']).trim().toUpperCase() || (text === '' ? 'GET' : 'POST'),
    url,
    query: textOf(one['queryParams']).replace(/^\?/, ''),
    headers,
    body: text,
    allowsAnyStatus: one['allowAllStatusCodes'] === true,
    followRedirects: one['followRedirects'] === true,
    takes: readTakes(one['extract']),
    totp: textOf(one['totp']).trim() || null,
  }
}

function readHeaders(sent: unknown): [string, string][] | null {
  if (sent === undefined || sent === null || sent === '') return []
  if (typeof sent === 'string') {
    const tree = sent.trim().startsWith('{') ? parsed(sent) : undefined
    return tree === undefined ? headerLines(sent) : readHeaders(tree)
  }
  const pairs = Array.isArray(sent)
    ? sent.map((one: Record<string, unknown>) => [textOf(one?.['key'] ?? one?.['name']), one?.['value']])
    : Object.entries(sent)
  if (pairs.length > MAX_PARTS) return null
  return pairs.flatMap(([name, value]): [string, string][] =>
    typeof name === 'string' && name.trim() !== '' && !name.startsWith(':')
      ? (Array.isArray(value) ? value : [value]).map((part) => [name.trim(), textOf(part)])
      : [],
  )
}

function headerLines(text: string): [string, string][] | null {
  const pairs: [string, string][] = []
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue
    const colon = line.indexOf(':')
    if (colon < 1 || pairs.length >= MAX_PARTS) return null
    pairs.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()])
  }
  return pairs
}

function readTakes(sent: unknown): Take[] {
  if (!Array.isArray(sent)) return []
  return sent.slice(0, MAX_PARTS).flatMap((one: Record<string, unknown> | null) => {
    const name = textOf(one?.['name']).trim()
    const from = textOf(one?.['from'] ?? 'BODY').toUpperCase()
    if (name === '' || !isPlace(from)) return []
    return [{ name, from, key: textOf(one?.['key'] ?? one?.['path']), regex: textOf(one?.['regex']) || null }]
  })
}

function isPlace(text: string): text is Take['from'] {
  return text === 'BODY' || text === 'HEADER' || text === 'COOKIE' || text === 'STATUS'
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined // no JSON: read as lines
  }
}
