import {
  type Condition,
  type ConditionNode,
  compilePattern,
  type DatumTest,
  type OperatorNode,
} from '../../rules/index.ts'
import type { HitLocation, ThreatMessage } from './hit.ts'
import { placesOf, TEXT_TERMS, type TextTerm } from './places.ts'
import type { FactPlan, Plan, Question } from './plan.ts'
import type { ProbeTable, ProbeUse } from './probe.ts'

type TermNode = ConditionNode & { readonly kind: 'term' }

/** What messages say on their own, by the name of the term. */
const FACTS: ReadonlyMap<string, FactPlan['datum']> = new Map<
  string,
  (message: ThreatMessage) => string | number | null
>([
  ['response_code', ({ exchange }) => exchange.response.status],
  ['method', ({ exchange }) => exchange.request.method],
  ['api_collection_id', ({ collectionId }) => String(collectionId)],
  ['source_ip', ({ actorAddress }) => actorAddress],
  ['destination_ip', ({ exchange }) => exchange.serverIp],
  // Nothing holds while the country is unknown.
  ['country_code', ({ country }) => country || null],
])
/** Operators that ask whether a text holds something; all others compare the text as it was sent. */
const SEARCHES = new Set([
  'regex',
  'regex_extract',
  'contains_either',
  'contains_all',
  'not_contains',
  'not_contains_either',
  'eq',
])
const NEVER: Plan = { kind: 'any', parts: [] }

/** Compiles a condition; its probes are added to the table. */
export function compilePlan(condition: Condition, table: ProbeTable): Plan {
  return simplified(
    'all',
    condition.root.children.map((child) => planOf(child, table)),
  )
}

function planOf(node: ConditionNode, table: ProbeTable): Plan {
  if (node.kind === 'group')
    return simplified(
      node.name === 'or' ? 'any' : 'all',
      node.children.map((child) => planOf(child, table)),
    )
  return node.kind === 'term' ? termPlan(node, table) : NEVER
}

/** Facts come first: they cost nothing. Choices inside choices are one, and what is asked at several places is asked once. */
function simplified(kind: 'all' | 'any', parts: readonly Plan[]): Plan {
  const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]))
  const whole = kind === 'any' ? joined(flat) : flat
  if (whole.length === 1) return whole[0]!
  const cost = (plan: Plan): number => COSTS[plan.kind]
  return { kind, parts: [...whole].sort((a, b) => cost(a) - cost(b)) }
}

function joined(parts: readonly Plan[]): Plan[] {
  const others: Plan[] = []
  const places = new Map<number, number>()
  for (const part of parts)
    if (part.kind === 'probe') places.set(part.probe, (places.get(part.probe) ?? 0) | part.places)
    else others.push(part)
  return [...others, ...Array.from(places, ([probe, all]): Plan => ({ kind: 'probe', probe, places: all }))]
}

/** Something is met at any of its uses. */
function anyUse(uses: readonly ProbeUse[]): Plan {
  return simplified(
    'any',
    uses.map((use) => ({ kind: 'probe', ...use })),
  )
}

const COSTS: Readonly<Record<Plan['kind'], number>> = {
  fact: 0,
  probe: 1,
  any: 2,
  all: 2,
  not: 2,
  named: 3,
  plain: 4,
}

function termPlan(node: TermNode, table: ProbeTable): Plan {
  const text = TEXT_TERMS.get(node.term.name)
  const location = node.term.name as HitLocation
  const datum = FACTS.get(node.term.name)
  const parts = node.children.map((child): Plan => {
    if (text === undefined) return datum === undefined ? NEVER : factPlan(child, location, datum)
    return textPlan(child, node, text, table)
  })
  return simplified('all', parts)
}

function factPlan(node: ConditionNode, location: HitLocation, datum: FactPlan['datum']): Plan {
  if (node.kind === 'operator')
    return { kind: 'fact', location, datum, test: remembering(node.operator.test(node.operands)) }
  if (node.kind !== 'group') return NEVER
  return simplified(
    node.name === 'or' ? 'any' : 'all',
    node.children.map((child) => factPlan(child, location, datum)),
  )
}

function textPlan(node: ConditionNode, term: TermNode, text: TextTerm, table: ProbeTable): Plan {
  switch (node.kind) {
    case 'group':
      return simplified(
        node.name === 'or' ? 'any' : 'all',
        node.children.map((child) => textPlan(child, term, text, table)),
      )
    case 'operator':
      return SEARCHES.has(node.operator.name)
        ? searchPlan(node, text, table)
        : plainPlan(node, term, text.location)
    case 'collection':
      return namedPlan(node, term, text, table)
    case 'measure':
      return lengthPlan(node, text) ?? plainPlan(node, term, text.location)
    default:
      return plainPlan(node, term, text.location)
  }
}

/** The term with only this child, judged by the conditions of tests. */
function plainPlan(node: ConditionNode, term: TermNode, location: HitLocation): Plan {
  return { kind: 'plain', node: { ...term, children: [node] }, location }
}

function searchPlan(node: OperatorNode, text: TextTerm, table: ProbeTable): Plan {
  const words = node.operands.map(String)
  const holding = (some: readonly string[], isWhole = false): Plan => {
    const places = some.reduce((all, word) => all | placesOf(text, word, new Set(word)), 0)
    // A text is equal to a whole one only where that is looked at too.
    const all = isWhole ? places | text.raw : places
    return anyUse(table.words(some, all, isWhole))
  }
  switch (node.operator.name) {
    case 'regex':
    case 'regex_extract':
      return simplified('any', patternProbes(words, text, table))
    case 'contains_either':
      return holding(words)
    case 'not_contains':
      return { kind: 'not', part: holding(words) }
    case 'eq':
      return holding(words.slice(0, 1), true)
    default: {
      const each = simplified(
        'all',
        words.map((word) => holding([word])),
      )
      return node.operator.name === 'contains_all' ? each : { kind: 'not', part: each }
    }
  }
}

function patternProbes(sources: readonly string[], text: TextTerm, table: ProbeTable): Plan[] {
  return sources.flatMap((source): Plan[] => {
    const pattern = compilePattern(source.trim())
    if (typeof pattern === 'string') return []
    const places = placesOf(text, pattern.source, pattern.words.signs)
    return [anyUse(table.pattern(pattern, places))]
  })
}

/** Messages say few different things: what was answered of the last ones is kept. */
function remembering(test: DatumTest): DatumTest {
  const answers = new Map<unknown, boolean>()
  return (datum, place) => {
    const known = answers.get(datum)
    if (known !== undefined) return known
    if (answers.size >= MAX_ANSWERS) answers.clear()
    const answer = test(datum, place)
    answers.set(datum, answer)
    return answer
  }
}

const MAX_ANSWERS = 64
/** Outer braces of a body do not count. */
const BRACES = 2

/** Lengths of the parts of a message; of a body without its outer braces. */
const LENGTHS: ReadonlyMap<string, FactPlan['datum']> = new Map<string, FactPlan['datum']>([
  ['url', ({ exchange }) => exchange.request.target.length],
  ['request_headers', ({ exchange }) => lengthOf(exchange.request.headers)],
  ['response_headers', ({ exchange }) => lengthOf(exchange.response.headers)],
  ['request_payload', ({ exchange }) => bodyLength(exchange.request)],
  ['response_payload', ({ exchange }) => bodyLength(exchange.response)],
])

/** Null for an empty body. */
function bodyLength({ body, bodyIsBase64 }: { body: string; bodyIsBase64?: boolean }): number | null {
  if (body === '') return null
  const length = bodyIsBase64 === true ? Buffer.byteLength(body, 'base64') : body.trim().length
  return length - BRACES
}

function lengthPlan(node: ConditionNode & { kind: 'measure' }, text: TextTerm): Plan | null {
  const datum = LENGTHS.get(text.location)
  return datum === undefined
    ? null
    : simplified(
        'all',
        node.children.map((child) => factPlan(child, text.location, datum)),
      )
}

/** Characters of all names and values. */
function lengthOf(headers: readonly string[]): number {
  return headers.reduce((sum, text) => sum + text.length, 0)
}

function namedPlan(
  node: ConditionNode & { kind: 'collection' },
  term: TermNode,
  text: TextTerm,
  table: ProbeTable,
): Plan {
  const questions = node.children.map((child) => questionOf(child, null, text, table))
  if (questions.some((question) => question === null)) return plainPlan(node, term, text.location)
  const question: Question = { kind: 'all', parts: questions.filter((one) => one !== null) }
  return {
    kind: 'named',
    location: text.location,
    isForAll: node.name === 'for_all',
    values: text.values,
    names: asksValues(question) ? 0 : text.names,
    question,
  }
}

function asksValues(question: Question): boolean {
  if (question.kind === 'all' || question.kind === 'any') return question.parts.some(asksValues)
  return question.kind !== 'name' && question.kind !== 'name probe'
}

/** Null: not to be asked of texts, because numbers are compared. */
function questionOf(
  node: ConditionNode,
  part: 'key' | 'value' | null,
  text: TextTerm,
  table: ProbeTable,
): Question | null {
  if (node.kind === 'group' || node.kind === 'part') {
    const inner = node.kind === 'part' ? node.name : part
    const parts = node.children.map((child) => questionOf(child, inner, text, table))
    if (parts.some((one) => one === null)) return null
    const kind = node.kind === 'group' && node.name === 'or' ? 'any' : 'all'
    return { kind, parts: parts.filter((one) => one !== null) }
  }
  if (node.kind !== 'operator' || part === null) return null
  const { name } = node.operator
  const test = node.operator.test(node.operands)
  if (part === 'key')
    return searchQuestion(node, name, text.names, 'name probe', table) ?? { kind: 'name', test }
  return (
    searchQuestion(node, name, text.values, 'probe', table) ??
    (TEXT_ONLY.has(name) ? { kind: 'value', test, isDenial: DENIALS.has(name) } : null)
  )
}

/** Operators of values that compare texts only; where numbers are meant, the tree of the body is asked. */
const TEXT_ONLY = new Set(['contains_all', 'not_contains', 'not_contains_either', 'contains_jwt'])
const DENIALS = new Set(['not_contains', 'not_contains_either'])

/** Null where the operator searches for nothing. */
function searchQuestion(
  node: OperatorNode,
  name: string,
  places: number,
  kind: 'probe' | 'name probe',
  table: ProbeTable,
): Question | null {
  const words = node.operands.map(String)
  const asked = (uses: readonly ProbeUse[], isDenial: boolean): Question => ({
    kind,
    probe: uses[0]!.probe,
    isDenial,
  })
  if (name === 'regex' || name === 'regex_extract') {
    const parts = words.flatMap((source): Question[] => {
      const pattern = compilePattern(source.trim())
      return typeof pattern === 'string' ? [] : [asked(table.pattern(pattern, places), false)]
    })
    return { kind: 'any', parts }
  }
  if (name === 'contains_either' || name === 'not_contains')
    return asked(table.words(words, places, false), name === 'not_contains')
  const isText = typeof node.operands[0] === 'string'
  if ((name === 'eq' || name === 'neq') && isText)
    return asked(table.words(words.slice(0, 1), places, true), name === 'neq')
  return null
}
