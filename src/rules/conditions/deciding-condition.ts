import type { OperatorDefinition } from '../operators/operator.ts'
import type { TermDefinition } from '../terms/term.ts'
import type { Scalar } from '../variables/variables.ts'
import type { Outcome } from './judgement.ts'
import type { ConditionNode, Measure, OperatorNode } from './node.ts'
import { wordsOfPattern } from './words-of-pattern.ts'

/** What stands above the node that is put into words. */
interface Above {
  readonly term: TermDefinition | null
  readonly isForAll: boolean
  readonly measure: Measure | null
}

const NOTHING: Above = { term: null, isForAll: false, measure: null }
const MAX_ALTERNATIVES = 3
const MAX_WORDS = 4
const MAX_WORD = 60

/**
 * The sentence of the condition that decided why a judgement does not hold: "No query parameter is named like url,
 * uri, link or host". It has no values of the message, so that the same reason reads the same on every endpoint. Of
 * conditions that must all hold, the first that did not decides; of alternatives, all do. Empty when the judgement
 * holds.
 */
export function decidingCondition(outcome: Outcome): string {
  if (outcome.holds) return ''
  const text = failureOf(outcome, NOTHING)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function failureOf(outcome: Outcome, above: Above): string {
  const { node } = outcome
  switch (node.kind) {
    case 'group':
      return node.name === 'or' ? noneOf(outcome, above) : firstOf(outcome, above)
    case 'term':
      return outcome.children.length === 0
        ? String(outcome.observed)
        : firstOf(outcome, { ...NOTHING, term: node.term })
    case 'collection':
      return ofNames(outcome, { ...above, isForAll: node.name === 'for_all' })
    case 'measure':
      return firstOf(outcome, { ...above, measure: node.measure })
    case 'part':
      return ofNames({ ...outcome, children: [outcome] }, above)
    case 'context':
      return node.context.failure(operandsOf(node))
    case 'operator':
      return ofWhole(node, outcome, above)
    case 'containers':
      return `the ${above.term?.called ?? 'message'} has no objects or lists`
    case 'compare':
      return `${node.operands[0]} is not greater than ${node.operands[1]}`
    case 'callback':
      return 'the target did not call back'
    case 'unsupported':
      return `${node.name} cannot be judged: ${node.why}`
    case 'extract':
      return `${node.variable} was not found`
  }
}

function firstOf(outcome: Outcome, above: Above): string {
  const failed = outcome.children.find(({ holds }) => !holds)
  if (failed === undefined) return 'the conditions do not hold together'
  return rangeFailure(outcome, failed, above) ?? failureOf(failed, above)
}

/** Alternatives of one comparison are reported together: `the method is not POST, PUT or PATCH`. */
function noneOf(outcome: Outcome, above: Above): string {
  const texts = [
    ...new Set(outcome.children.filter(({ holds }) => !holds).map((one) => failureOf(one, above))),
  ]
  if (texts.length === 0) return 'none of the alternatives holds'
  const start = commonStart(texts)
  const same = start.trim().includes(' ') ? start : ''
  const ends = texts.map((text) => text.slice(same.length))
  if (same !== '' && ends.every((end) => /^[^\s,]+$/.test(end))) return same + listed(ends)
  const shown = texts.slice(0, MAX_ALTERNATIVES)
  return shown.join(', and ') + (texts.length > shown.length ? ', and so on' : '')
}

/** The words that all texts begin with. */
function commonStart(texts: readonly string[]): string {
  let start = texts[0]!
  for (const text of texts) {
    while (!text.startsWith(start)) start = start.slice(0, start.trimEnd().lastIndexOf(' ') + 1)
  }
  return start.slice(0, start.lastIndexOf(' ') + 1)
}

/** A lower and an upper bound under one term read as one range: `the response status is not 200–299`. */
function rangeFailure(outcome: Outcome, failed: Outcome, { term, measure }: Above): string | null {
  if (outcome.node.kind !== 'term' || term === null || measure !== null) return null
  const bounds = new Map(
    outcome.children.flatMap(({ node, operands }) =>
      node.kind === 'operator' ? [[node.operator.name, Number(operands[0])] as const] : [],
    ),
  )
  const isBound = failed.node.kind === 'operator' && ['gte', 'lt'].includes(failed.node.operator.name)
  const [from, before] = [bounds.get('gte'), bounds.get('lt')]
  if (!isBound || from === undefined || before === undefined) return null
  return `the ${term.called} is not ${from}–${before - 1}`
}

/** `key` and `value`: which names or values were looked for and not found. */
function ofNames(outcome: Outcome, { term, isForAll }: Above): string {
  const item = term?.itemCalled ?? 'name'
  const parts = outcome.children.filter(({ node }) => node.kind === 'part')
  const failed = parts.find(({ holds }) => !holds)
  if (failed === undefined) {
    const other = outcome.children.find(({ holds }) => !holds)
    return other === undefined
      ? `no ${item} meets all conditions`
      : failureOf(other, { term, isForAll, measure: null })
  }
  const names = parts.filter((part) => part.node.kind === 'part' && part.node.name === 'key')
  const named = names.flatMap(operatorsOf).map(nameText).filter(Boolean).join(' and ')
  if (failed.node.kind === 'part' && failed.node.name === 'key') {
    if (isForAll) return `some ${item} ${failedOf(failed).map(oppositeName).join(' or ')}`
    return named === '' ? `there is no ${item}` : `no ${item} ${named}`
  }
  const value = failedOf(failed).map(valueText).filter(Boolean).join(' and ')
  const which = named === '' ? item : `${item} that ${named}`
  if (isForAll) return `not every ${which} has a value that ${value}`
  return value === '' ? `there is no ${which}` : `no ${which} has a value that ${value}`
}

type Compared = Outcome & { readonly node: OperatorNode }

function operatorsOf(part: Outcome): Compared[] {
  return part.children.filter((child): child is Compared => child.node.kind === 'operator')
}

/** The comparisons of a part that did not hold; all of them where they held only apart. */
function failedOf(part: Outcome): Compared[] {
  const all = operatorsOf(part)
  const failed = all.filter(({ holds }) => !holds)
  return failed.length > 0 ? failed : all
}

function nameText({ node, operands }: Compared): string {
  const words = wordsOf(node.operator, operands)
  if (words === '') return ''
  switch (node.operator.name) {
    case 'eq':
      return `is named ${words}`
    case 'regex':
      return `is named like ${words}`
    default:
      return `has a name that ${node.operator.phrases.holds} ${words}`
  }
}

function oppositeName({ node, operands }: Compared): string {
  if (node.operator.name === 'neq') return `is named ${wordsOf(node.operator, operands)}`
  return `has a name that ${node.operator.phrases.fails} ${wordsOf(node.operator, operands)}`
}

function valueText({ node, operands }: Compared): string {
  const { phrases } = node.operator
  if (phrases.isYesOrNo) return isYes(operands) ? phrases.holds : phrases.fails
  const words = wordsOf(node.operator, operands)
  return words === '' ? '' : `${phrases.holds} ${words}`
}

/** A comparison of a whole value, or of what is measured of it. */
function ofWhole(node: OperatorNode, { operands }: Outcome, { term, measure }: Above): string {
  if (term === null) return 'there is no attempt'
  if (term.ignoresOperands) return `there is no ${term.called}`
  const { operator } = node
  const words = wordsOf(operator, operands)
  if (measure === 'length') {
    if (operator.name === 'gt' && Number(operands[0]) <= 2) return `the ${term.called} is empty`
    return `the length of the ${term.called} ${operator.phrases.fails} ${words}`
  }
  const subject =
    measure === null ? `the ${term.called}` : `the share of the ${term.called} that is as recorded`
  if (operator.phrases.isYesOrNo)
    return `${subject} ${isYes(operands) ? operator.phrases.fails : operator.phrases.holds}`
  return words === '' ? `the ${term.called} is empty` : `${subject} ${operator.phrases.fails} ${words}`
}

function isYes(operands: readonly Scalar[]): boolean {
  return String(operands[0]).toLowerCase() !== 'false'
}

/** The operands of an operator in words; empty for a pattern that everything satisfies. */
function wordsOf(operator: OperatorDefinition, operands: readonly Scalar[]): string {
  const texts = operands.map(String)
  return listed(operator.operands === 'patterns' ? texts.flatMap(wordsOfPattern) : texts)
}

function listed(all: readonly string[]): string {
  const words = [...new Set(all)].filter((word) => word !== '').map(cut)
  if (words.length > MAX_WORDS) return `${words.slice(0, MAX_WORDS).join(', ')} or others`
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function cut(word: string): string {
  return word.length > MAX_WORD ? `${word.slice(0, MAX_WORD)}…` : word
}

function operandsOf(node: ConditionNode & { kind: 'context' }): string {
  const inner = node.children.flatMap((child) =>
    child.kind === 'operator' && child.operator.operands !== 'patterns' ? child.operands : [],
  )
  return listed([...node.operands, ...inner].map(String))
}
