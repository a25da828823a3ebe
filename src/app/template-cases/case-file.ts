import {
  type FunctionsNear,
  type FunctionUse,
  plainValue,
  type RecordedField,
  readYaml,
} from '../../rules/index.ts'
import { type ExchangeText, exchangeOf } from './exchange-text.ts'

/** What a request must look like for a rule to answer it; all patterns, all optional. */
export interface Wanted {
  readonly method?: string
  /** Found in the target as it came, query included. */
  readonly path?: string
  /** By name; a header that is absent counts as empty text. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** How the server of a case answers; the first rule that fits is taken, and none is a 404. */
export interface AnswerRule {
  /** `sample` fits the recorded request exactly, and answers as recorded unless the rule says otherwise. */
  readonly when: Wanted | 'sample'
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly delayMs?: number
  /** Replaces `${method}`, `${query.name}`, `${header.name}`, `${body.name}` … by what was sent. */
  readonly echo?: boolean
  /** How many requests the rule answers before the next one counts. */
  readonly times?: number
  /** Closes the connection instead of an answer. */
  readonly closes?: boolean
  /** URL that the server calls before it answers; placeholders as with `echo`. */
  readonly calls?: string
}

/** One situation that a security test is put into, and what must come of it. */
export interface TemplateCase {
  readonly name: string
  /** vulnerable, secure, skipped, unconfirmed, or the name of another outcome. */
  readonly expect: string
  readonly sample: ExchangeText
  /** Path template in the inventory; the path of the sample unless given. */
  readonly endpoint?: string
  /** Headers of the second identity. */
  readonly attacker?: Readonly<Record<string, string>>
  /** The attacker's own request to the endpoint, as it was recorded. */
  readonly own?: ExchangeText
  /** A recorded sign-in of the user who sent the sample, answered with the credential of the sample. */
  readonly signIn?: ExchangeText
  readonly roles?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Values of the sample that only its own user sent: key → another recorded value of it. */
  readonly private?: Readonly<Record<string, string>>
  /** Fields that messages of the collection were recorded with. */
  readonly fields?: readonly RecordedField[]
  /** Fields of the body, by name, whose amount the application named with an object of the request. */
  readonly quoted?: readonly string[]
  /** Roles that reach the endpoint by the access matrix. */
  readonly matrix?: readonly string[]
  /** Path patterns of endpoints that the inventory has. */
  readonly known?: readonly string[]
  /** Siblings that refuse requests without credentials. */
  readonly guarded?: readonly string[]
  /** Who was recorded using the endpoint; nobody knows unless given. */
  readonly use?: Partial<FunctionUse & FunctionsNear>
  /** A request without credentials was recorded being answered. */
  readonly anonymous?: boolean
  /** Severity of the finding; not looked at unless given. */
  readonly severity?: string
  readonly answers: readonly AnswerRule[]
}

const CASE_KEYS = new Set([
  'name',
  'expect',
  'sample',
  'endpoint',
  'attacker',
  'own',
  'signIn',
  'roles',
  'private',
  'fields',
  'quoted',
  'matrix',
  'known',
  'guarded',
  'use',
  'anonymous',
  'severity',
  'answers',
])
const RULE_KEYS = new Set([
  'when',
  'status',
  'headers',
  'body',
  'delayMs',
  'echo',
  'times',
  'calls',
  'closes',
])
const WANTED_KEYS = new Set(['method', 'path', 'headers', 'body'])

/**
 * Reads the cases of a template.
 * @throws Error where the file is not YAML, with the line, or uses a word that cases do not have
 */
export function readCases(text: string): readonly TemplateCase[] {
  const { root, problems } = readYaml(text)
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0)
    throw new Error(errors.map(({ message, place }) => `line ${place.line}: ${message}`).join('; '))
  const { cases } = ((root && plainValue(root)) ?? {}) as { cases?: TemplateCase[] }
  if (!Array.isArray(cases)) throw new Error('the list "cases" is missing')
  for (const [at, one] of cases.entries()) {
    requireParts(one, at)
    refuseOthers(one.name, one, CASE_KEYS)
    exchangeOf(one.sample)
    for (const rule of one.answers) {
      refuseOthers(one.name, rule, RULE_KEYS)
      if (rule.when !== 'sample') refuseOthers(one.name, rule.when, WANTED_KEYS)
    }
  }
  return cases
}

/** @throws Error where a case lacks what every case has */
function requireParts(one: Partial<TemplateCase> | null, at: number): void {
  const what = typeof one?.name === 'string' ? `case "${one.name}"` : `case ${at + 1}`
  for (const key of ['name', 'expect'] as const)
    if (typeof one?.[key] !== 'string') throw new Error(`${what} has no ${key}`)
  if (typeof one?.sample?.request !== 'string') throw new Error(`${what} has no sample with a request`)
  if (!Array.isArray(one.answers)) throw new Error(`${what} lacks the list "answers"`)
  if (one.answers.some((rule: Partial<AnswerRule> | null) => rule?.when === undefined || rule.when === null))
    throw new Error(`${what} has an answer without "when"`)
}

function refuseOthers(name: string, value: object, known: ReadonlySet<string>): void {
  const other = Object.keys(value).find((key) => !known.has(key))
  if (other !== undefined) throw new Error(`case "${name}" has the unknown word ${other}`)
}
