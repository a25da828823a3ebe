/** Where a value is not what it must be. */
export interface Misfit {
  /** Like `evidence.attempts[2].exchange`. */
  readonly path: string
  readonly problem: string
}

type Check = (value: unknown, path: string) => Misfit | null

const MAX_ATTEMPTS = 10_000
const MAX_SENDS = 50_000
const MAX_REASON_DEPTH = 200

/** The first place where a file is not of the form of evidence; null when it is. */
export function checkEvidence(value: unknown): Misfit | null {
  return file(value, 'the file')
}

function ofType(name: 'string' | 'number' | 'boolean'): Check {
  return (value, path) => (typeof value === name ? null : { path, problem: `must be a ${name}` })
}
const text = ofType('string')
const flag = ofType('boolean')
const finite: Check = (value, path) =>
  typeof value === 'number' && Number.isFinite(value) ? null : { path, problem: 'must be a number' }

function orNull(check: Check): Check {
  return (value, path) => (value === null ? null : check(value, path))
}

function orAbsent(check: Check): Check {
  return (value, path) => (value === undefined ? null : check(value, path))
}

function oneOf(words: readonly string[]): Check {
  return (value, path) =>
    words.includes(String(value)) ? null : { path, problem: `is none of ${words.join(', ')}` }
}

function listOf(item: Check, most = 1_000_000): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return { path, problem: 'must be a list' }
    if (value.length > most) return { path, problem: `must hold at most ${most} items` }
    for (const [at, one] of value.entries()) {
      const misfit = item(one, `${path}[${at}]`)
      if (misfit !== null) return misfit
    }
    return null
  }
}

function mapOf(item: Check): Check {
  return (value, path) => {
    if (!isObject(value)) return { path, problem: 'must be an object' }
    for (const [key, one] of Object.entries(value)) {
      const misfit = item(one, `${path}.${key.slice(0, 40)}`)
      if (misfit !== null) return misfit
    }
    return null
  }
}

function object(fields: Readonly<Record<string, Check>>): Check {
  return (value, path) => {
    if (!isObject(value)) return { path, problem: 'must be an object' }
    for (const [name, check] of Object.entries(fields)) {
      const misfit = check(Object.hasOwn(value, name) ? value[name] : undefined, `${path}.${name}`)
      if (misfit !== null) return misfit
    }
    return null
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const anyValue: Check = (value, path) => (value === undefined ? { path, problem: 'is missing' } : null)

/** Name, value, name, value … */
const headers: Check = (value, path) => {
  const misfit = listOf(text, 100_000)(value, path)
  if (misfit !== null) return misfit
  return (value as unknown[]).length % 2 === 0 ? null : { path, problem: 'must hold names with values' }
}

const exchange = object({
  request: object({
    method: text,
    target: text,
    version: text,
    headers,
    body: text,
    bodyIsBase64: orAbsent(flag),
  }),
  response: object({
    status: finite,
    reason: text,
    headers,
    body: text,
    bodyIsBase64: orAbsent(flag),
  }),
  at: finite,
})

const recordedField = object({
  name: text,
  values: listOf(text),
  isShown: flag,
  isSent: flag,
  sentValues: listOf(text),
})

/** A tree for people; only its depth matters. */
const reasons: Check = (value, path) => {
  const open: [unknown, number][] = [[value, 0]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, depth] = next
    if (depth > MAX_REASON_DEPTH) return { path, problem: `must be at most ${MAX_REASON_DEPTH} deep` }
    if (typeof node === 'object' && node !== null)
      for (const child of Object.values(node)) open.push([child, depth + 1])
  }
  return null
}

const attempt = object({
  step: text,
  exchange,
  validates: flag,
  reasons,
  percentageMatch: finite,
  responseTimeMs: finite,
  isTruncated: flag,
})

const taped: Check = (value, path) => {
  if (value === 'baseline' || value === 'control') return null
  return isObject(value) && Object.hasOwn(value, 'attempt')
    ? finite(value['attempt'], `${path}.attempt`)
    : exchange(value, path)
}

const send: Check = (value, path) =>
  isObject(value) && Object.hasOwn(value, 'failure')
    ? object({ failure: text, details: mapOf(text) })(value, path)
    : object({ exchange: taped, responseTimeMs: finite, isTruncated: flag, isDefaultPage: flag })(value, path)

/** Answers of one look-up, each with how often it came. */
function answersOf(answer: Check): Check {
  return orAbsent(
    listOf((value, path) => {
      if (!Array.isArray(value) || value.length !== 2)
        return { path, problem: 'must be an answer with a count' }
      return answer(value[0], `${path}[0]`) ?? finite(value[1], `${path}[1]`)
    }),
  )
}

const texts = listOf(text)

const record = object({ key: text, value: text })

const functions = listOf(
  object({ method: text, url: text, isOpen: orNull(flag), showsMore: orAbsent(flag) }),
  100,
)

const tape = object({
  templates: mapOf(text),
  words: mapOf(texts),
  captured: mapOf(anyValue),
  credentials: orNull(
    object({
      headerNames: texts,
      typeHeaders: texts,
      typeBodyKeys: texts,
      roles: mapOf(orNull(listOf(object({ where: text, key: text, value: text })))),
    }),
  ),
  fresh: orNull(taped),
  unchanged: orNull(taped),
  own: orAbsent(orNull(taped)),
  list: orAbsent(orNull(taped)),
  signIn: orAbsent(orNull(taped)),
  listing: orAbsent(oneOf(['none', 'named', 'mutual', 'shared', 'granted', 'member', 'hidden'])),
  isPartOfShared: orAbsent(flag),
  isLoose: orAbsent(flag),
  outcomes: orAbsent(mapOf(orNull(text))),
  sends: listOf(send, MAX_SENDS),
  lookups: object({
    isKnownEndpoint: answersOf(flag),
    rolesOf: answersOf(texts),
    isAccessUnknown: answersOf(flag),
    guardedSiblingsOf: answersOf(texts),
    accessTypesOf: answersOf(texts),
    privateValuesOf: answersOf(listOf(record)),
    ownershipOf: answersOf(text),
    isUsedAnonymously: answersOf(flag),
    functionUseOf: answersOf(object({ users: text, word: text, isRefused: flag })),
    functionsNear: answersOf(object({ compared: text, beside: functions, elsewhere: functions })),
    otherValueOf: answersOf(orNull(record)),
    fieldsOf: answersOf(listOf(recordedField)),
    quotedAmountsOf: answersOf(listOf(record)),
    matchesDataType: answersOf(flag),
    callbackHits: answersOf(finite),
    collectionsOf: answersOf(texts),
    collectionTags: answersOf(texts),
  }),
  callbacks: listOf(object({ id: text, url: text })),
})

const file = object({
  exportedAt: finite,
  isMasked: flag,
  cannotBeJudged: text,
  result: object({
    id: text,
    testId: text,
    endpoint: object({ collectionId: finite, method: text, url: text }),
    outcome: text,
    explanation: text,
  }),
  templates: mapOf(text),
  evidence: object({
    baseline: orNull(exchange),
    attempts: listOf(attempt, MAX_ATTEMPTS),
    control: orNull(object({ kind: text, attempt: orNull(attempt), confirms: flag, explanation: text })),
    identities: texts,
    callbackIds: texts,
    tape: orNull(tape),
  }),
  digest: text,
})
