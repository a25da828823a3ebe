import { type Condition, type ConditionNode, compilePattern, type OperatorNode } from '../../rules/index.ts'
import type { HitLocation, ThreatMessage } from './hit.ts'
import { placesOf, TEXT_TERMS, type TextTerm } from './places.ts'
import type { FactPlan, Plan, Question } from './plan.ts'
import type { ProbeTable } from './probe.ts'

type TermNode = ConditionNode & { readonly kind: 'term' }

/** What messages say by themselves, by the name of the term. */
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

/** Facts come first: they cost nothing. */
function simplified(kind: 'all' | 'any', parts: readonly Plan[]): Plan {
  if (parts.length === 1) return parts[0]!
  const cost = (plan: Plan): number => COSTS[plan.kind]
  return { kind, parts: [...parts].sort((a, b) => cost(a) - cost(b)) }
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
    return { kind: 'fact', location, datum, test: node.operator.test(node.operands) }
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

/** The term with this child alone, judged by the conditions of tests. */
function plainPlan(node: ConditionNode, term: TermNode, location: HitLocation): Plan {
  return { kind: 'plain', node: { ...term, children: [node] }, location }
}

function searchPlan(node: OperatorNode, text: TextTerm, table: ProbeTable): Plan {
  const { location } = text
  const words = node.operands.map(String)
  const holding = (some: readonly string[], isWhole = false): Plan => {
    const places = some.reduce((all, word) => all | placesOf(text, word, new Set(word)), 0)
    // A text is equal to a whole one only where that is looked at too.
    const all = isWhole ? places | text.raw : places
    return { kind: 'probe', probe: table.words(some, all, isWhole), location }
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
    return [{ kind: 'probe', probe: table.pattern(pattern, places), location: text.location }]
  })
}

/** Lengths of parts that are no bodies. */
const LENGTHS: ReadonlyMap<string, (message: ThreatMessage) => number> = new Map<
  string,
  (message: ThreatMessage) => number
>([
  ['url', ({ exchange }) => exchange.request.target.length],
  ['request_headers', ({ exchange }) => lengthOf(exchange.request.headers)],
  ['response_headers', ({ exchange }) => lengthOf(exchange.response.headers)],
])

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
  return question.kind !== 'name'
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
  if (part === 'key') return { kind: 'name', test }
  return (
    valueQuestion(node, name, text, table) ??
    (TEXT_ONLY.has(name) ? { kind: 'value', test, isDenial: DENIALS.has(name) } : null)
  )
}

/** Operators of values that compare texts only; where numbers are meant, the tree of the body is asked. */
const TEXT_ONLY = new Set(['contains_all', 'not_contains', 'not_contains_either', 'contains_jwt'])
const DENIALS = new Set(['not_contains', 'not_contains_either'])

function valueQuestion(node: OperatorNode, name: string, text: TextTerm, table: ProbeTable): Question | null {
  const words = node.operands.map(String)
  if (name === 'regex' || name === 'regex_extract') {
    const parts = words.flatMap((source): Question[] => {
      const pattern = compilePattern(source.trim())
      if (typeof pattern === 'string') return []
      return [{ kind: 'probe', probe: table.pattern(pattern, text.values), isDenial: false }]
    })
    return { kind: 'any', parts }
  }
  if (name === 'contains_either' || name === 'not_contains')
    return {
      kind: 'probe',
      probe: table.words(words, text.values, false),
      isDenial: name === 'not_contains',
    }
  const isText = typeof node.operands[0] === 'string'
  if (name === 'eq' && isText)
    return { kind: 'probe', probe: table.words(words.slice(0, 1), text.values, true), isDenial: false }
  if (name === 'neq' && isText)
    return { kind: 'probe', probe: table.words(words.slice(0, 1), text.values, true), isDenial: true }
  return null
}
