import { nearestWord } from '../../kit/index.ts'
import { statesOf } from '../../kit/short-pattern.ts'
import { isRange } from '../operators/cidr.ts'
import type { OperatorDefinition } from '../operators/operator.ts'
import { compilePattern, tooLargePattern } from '../pattern.ts'
import { MAX_CONDITION_STATES } from '../search/pattern-size.ts'
import type { TermDefinition } from '../terms/term.ts'
import type { Scalar } from '../variables/variables.ts'
import { itemsOf, type Place, type Problem, type YamlNode } from '../yaml/node.ts'
import type { ContextDefinition } from './contexts/context.ts'
import type { Condition, ConditionNode, Measure } from './node.ts'
import { asWrittenFor, emptyRange, numberFault, operandFaults } from './operand-faults.ts'
import {
  conditionWords,
  contextsByName,
  OPERATORS_OF_TESTS,
  operatorsByName,
  termsByName,
  UNSUPPORTED,
} from './words.ts'

const MEASURES = new Set([
  'length',
  'percentage_match',
  'percentage_match_schema',
  'percentage_match_meaning',
  'nlp_classification',
])
const MAX_OPERANDS = 2_000
const TOO_MANY_STATES = `The patterns of the condition have more than ${MAX_CONDITION_STATES} states together: repeat less by count, or make several tests of it.`
/** A text that no pattern asks for. */
const UNUSUAL = '\u{1f9ff} \u0b83~'
const RESPONSE_PAYLOAD = termsByName.get('response_payload')!

/** What stands above a node. */
interface Above {
  readonly term: TermDefinition | null
  readonly hasCollection: boolean
  readonly hasContext: boolean
  readonly hasPart: boolean
  /** The node stands directly below `for_one` or `for_all`. */
  readonly isInCollection: boolean
}

const NOTHING: Above = {
  term: null,
  hasCollection: false,
  hasContext: false,
  hasPart: false,
  isInCollection: false,
}

/** The kind of template that a condition belongs to: security tests, or filters of live traffic. */
type ConditionLanguage = 'test' | 'filter'

/**
 * Compiles a condition tree, and reports everything that is wrong with it with its place. Filters of live traffic have
 * no inventory, callbacks or language model at hand: there those words are errors.
 *
 * @returns null when there was an error
 */
export function compileCondition(
  node: YamlNode,
  language: ConditionLanguage,
  problems: Problem[],
): Condition | null {
  const compiler = new Compiler(language, problems)
  const before = problems.filter(({ severity }) => severity === 'error').length
  if (node.kind !== 'map' && !(node.kind === 'list' && node.items.every(({ kind }) => kind === 'map'))) {
    compiler.error('A condition is a map of terms and operators.', node.place)
    return null
  }
  const children = compiler.children(node, NOTHING)
  if (children.length === 0) compiler.error('The condition is empty.', node.place)
  const errors = problems.filter(({ severity }) => severity === 'error').length
  if (errors > before) return null
  return { place: node.place, root: { kind: 'group', name: 'root', children, place: node.place } }
}

class Compiler {
  readonly #language: ConditionLanguage
  readonly #problems: Problem[]
  /** Of all patterns so far. */
  #states = 0

  constructor(language: ConditionLanguage, problems: Problem[]) {
    this.#language = language
    this.#problems = problems
  }

  error(message: string, place: Place, nearest: string | null = null): void {
    this.#problems.push({ severity: 'error', message, place, nearest })
  }

  warn(message: string, place: Place): void {
    this.#problems.push({ severity: 'warning', message, place, nearest: null })
  }

  /** A map, or a list of maps that may repeat a name. */
  children(node: YamlNode, above: Above): ConditionNode[] {
    const nodes: ConditionNode[] = []
    for (const item of itemsOf(node)) {
      if (item.kind !== 'map') {
        this.error('Terms and operators are expected here.', item.place)
        continue
      }
      for (const entry of item.entries) {
        const child = this.#child(entry.key, entry.value, entry.keyPlace, above)
        if (child !== null) nodes.push(child)
      }
    }
    return nodes
  }

  #child(word: string, value: YamlNode, place: Place, above: Above): ConditionNode | null {
    const name = word.toLowerCase()
    switch (name) {
      case 'and':
      case 'or':
        return { kind: 'group', name, children: this.#inner(value, above, place), place }
      case 'compare_greater':
        this.#onlyInTests(word, place)
        return { kind: 'compare', operands: this.#compared(value, place), place }
      case 'ssrf_url_hit':
        this.#onlyInTests(word, place)
        return { kind: 'callback', operands: this.#operands(value, place), place }
      case 'for_one':
      case 'for_all':
        return this.#collection(name, value, place, above)
      case 'key':
      case 'value':
        return this.#part(name, value, place, above)
      case 'extract':
      case 'extractmultiple':
        this.#onlyInTests(word, place)
        return this.#extract(name === 'extractmultiple', value, place, above)
      case 'valuetype':
        this.#onlyInTests(word, place)
        return { kind: 'containers', place }
      case 'param':
        this.#onlyInTests(word, place)
        return {
          kind: 'operator',
          operator: PARAM,
          operands: this.#operands(value, place),
          ready: null,
          placeholders: [],
          place,
        }
    }
    if (MEASURES.has(name) && name !== 'length') this.#onlyInTests(word, place)
    if (MEASURES.has(name)) return this.#measure(name as Measure, value, place, above)
    const definition = termsByName.get(name)
    if (definition?.ignoresOperands) this.#onlyInTests(word, place)
    if (definition !== undefined) return this.#term(definition, value, place, above)
    const context = contextsByName.get(name)
    if (context !== undefined) return this.#context(context, value, place, above)
    return this.#leaf(word, name, value, place, above)
  }

  #onlyInTests(word: string, place: Place): void {
    if (this.#language === 'filter') this.error(`${word} belongs to security tests, not to filters.`, place)
  }

  #collection(name: 'for_one' | 'for_all', value: YamlNode, place: Place, above: Above): ConditionNode {
    if (above.hasCollection) this.error(`${name} may not stand below another collection.`, place)
    if (above.hasPart) this.error(`${name} may not stand below key or value.`, place)
    if (above.term === null) this.error(`${name} needs a term above it, such as response_payload.`, place)
    const children = this.#inner(value, { ...above, hasCollection: true, isInCollection: true }, place)
    return { kind: 'collection', name, children, place }
  }

  #term(definition: TermDefinition, value: YamlNode, place: Place, above: Above): ConditionNode {
    if (above.term !== null)
      this.error(`${definition.name} may not stand below another term (${above.term.name}).`, place)
    if (above.hasContext) this.error(`${definition.name} may not stand below a context.`, place)
    const children = this.#inner(value, { ...NOTHING, term: definition }, place)
    if (definition.named === undefined) this.#judgeRange(children, place)
    return { kind: 'term', term: definition, children, place }
  }

  #context(context: ContextDefinition, value: YamlNode, place: Place, above: Above): ConditionNode {
    this.#onlyInTests(context.name, place)
    if (context.takesOperand)
      return { kind: 'context', context, operands: this.#operands(value, place), children: [], place }
    const below = { ...above, term: null, hasContext: true, isInCollection: false }
    return { kind: 'context', context, operands: [], children: this.#inner(value, below, place), place }
  }

  #leaf(word: string, name: string, value: YamlNode, place: Place, above: Above): ConditionNode | null {
    const operator = operatorsByName.get(name)
    if (operator !== undefined) return this.#operator(operator, value, place, above)
    const why = UNSUPPORTED.get(name)
    if (why !== undefined) {
      if (this.#language === 'filter') this.error(`${word} cannot be used: ${why}.`, place)
      return { kind: 'unsupported', name, why, place }
    }
    this.error(`${word} is not a condition keyword.`, place, nearestWord(name, conditionWords))
    return null
  }

  #operator(definition: OperatorDefinition, value: YamlNode, place: Place, above: Above): ConditionNode {
    if (OPERATORS_OF_TESTS.has(definition.name)) this.#onlyInTests(definition.name, place)
    if (above.term === null && !above.hasContext)
      this.error(`${definition.name} needs a term above it, such as response_payload.`, place)
    if (above.isInCollection)
      this.error(`${definition.name} needs key or value above it, to say what of each is meant.`, place)
    const takesRanges = above.term?.takes === 'ranges'
    if (above.term !== null && takesRanges !== (definition.operands === 'ranges'))
      this.error(
        takesRanges
          ? `${above.term.name} is compared with ranges only: contains_either_cidr, not_contains_cidr.`
          : `${definition.name} may stand below source_ip and destination_ip only.`,
        place,
      )
    const sent = this.#operands(value, place)
    const operands = this.#language === 'filter' ? this.#meant(definition, sent, above, place) : sent
    if (definition.operands === 'patterns') {
      for (const operand of operands) {
        if (typeof operand !== 'string' || (operand.includes('${') && this.#language === 'test')) continue
        this.#judgePattern(operand.trim(), place)
      }
    }
    if (definition.operands === 'ranges') {
      for (const operand of operands)
        if (!isRange(String(operand)))
          this.error(`${String(operand)} is not a range such as 10.0.0.0/8.`, place)
    }
    // Filters have no variables: there `${` is a text like any other, and one that attacks are made of.
    const placeholders = this.#language === 'filter' ? [] : operands.flatMap(placeholdersIn)
    const isKnown =
      this.#language === 'filter' ||
      !operands.some((operand) => typeof operand === 'string' && operand.includes('${'))
    const noNumber =
      this.#language === 'test' && isKnown && operands.length > 0
        ? numberFault(definition.name, operands, above.term?.name ?? null)
        : null
    if (noNumber !== null) this.warn(noNumber, place)
    return {
      kind: 'operator',
      operator: definition,
      operands,
      ready: isKnown && this.#states <= MAX_CONDITION_STATES ? definition.test(operands) : null,
      placeholders,
      place,
    }
  }

  /** A filter that holds of everything or of nothing would be believed to watch. */
  #meant(
    definition: OperatorDefinition,
    operands: readonly Scalar[],
    above: Above,
    place: Place,
  ): readonly Scalar[] {
    const term = above.term?.name ?? null
    for (const { severity, message } of operandFaults(definition, operands, term))
      if (severity === 'error') this.error(message, place)
      else this.warn(message, place)
    return asWrittenFor(term, definition, operands)
  }

  /** Bounds of one number that leave none. */
  #judgeRange(children: readonly ConditionNode[], place: Place): void {
    const why = this.#language === 'filter' ? emptyRange(children) : null
    if (why !== null) this.error(why, place)
  }

  /** A test continues without a pattern that cannot be used; a filter that never matches would be believed to watch. */
  #judgePattern(source: string, place: Place): void {
    const large = tooLargePattern(source)
    if (large !== null) {
      this.error(`The pattern cannot be used: ${large}.`, place)
      return
    }
    const before = this.#states
    this.#states += statesOf(source)
    if (this.#states > MAX_CONDITION_STATES) {
      // Said once: all further ones are as little compiled.
      if (before <= MAX_CONDITION_STATES) this.error(TOO_MANY_STATES, place)
      return
    }
    const pattern = compilePattern(source)
    if (typeof pattern === 'string') {
      if (this.#language === 'filter') this.error(`invalid regular expression: ${pattern}`, place)
      else this.warn(`It never matches: ${pattern}.`, place)
      return
    }
    for (const note of pattern.notes) this.warn(note, place)
    if (this.#language !== 'filter') return
    if (pattern.looksAround)
      this.warn('A pattern that looks ahead or behind takes longer than others.', place)
    if (pattern.test('') && pattern.test(UNUSUAL))
      this.warn('The pattern is found in every text: ask for more, unless every message is meant.', place)
  }

  #part(name: 'key' | 'value', value: YamlNode, place: Place, above: Above): ConditionNode {
    if (above.term === null) this.error(`${name} needs a term above it, such as response_payload.`, place)
    else if (above.term.named === undefined)
      this.error(`${above.term.name} has no names: compare it as a whole.`, place)
    const below = { ...above, hasPart: true, isInCollection: false }
    return { kind: 'part', name, children: this.#inner(value, below, place), place }
  }

  #measure(measure: Measure, value: YamlNode, place: Place, above: Above): ConditionNode {
    const isOrphan = above.term === null && !above.hasContext
    const term = isOrphan ? RESPONSE_PAYLOAD : above.term
    const below: Above = { ...above, term, isInCollection: false }
    const node: ConditionNode = {
      kind: 'measure',
      measure,
      children: this.#inner(value, below, place),
      place,
    }
    this.#judgeRange(node.children, place)
    if (!isOrphan) return node
    this.warn(`${measure} stands outside of a term and is taken for one of response_payload.`, place)
    return { kind: 'term', term: RESPONSE_PAYLOAD, children: [node], place }
  }

  #inner(value: YamlNode, above: Above, place: Place): ConditionNode[] {
    const children = this.children(value, above)
    if (children.length === 0) this.error('An operator or an extraction is missing here.', place)
    return children
  }

  #extract(isMultiple: boolean, value: YamlNode, place: Place, above: Above): ConditionNode | null {
    if (above.term === null && !above.hasContext)
      this.error('An extraction needs a term above it, such as response_payload.', place)
    if (value.kind === 'scalar' && typeof value.value === 'string' && value.value !== '')
      return { kind: 'extract', isMultiple, variable: value.value, place }
    this.error('The name of a variable is expected here.', value.place)
    return null
  }

  #compared(value: YamlNode, place: Place): Scalar[] {
    const operands = this.#operands(value, place)
    if (operands.length !== 2) this.error('compare_greater takes a list of two.', place)
    return operands
  }

  #operands(value: YamlNode, place: Place): Scalar[] {
    const operands: Scalar[] = []
    for (const item of itemsOf(value)) {
      if (item.kind !== 'scalar' || item.value === null)
        this.error('Texts, numbers or booleans are expected here.', item.place)
      else operands.push(item.value)
    }
    if (operands.length > MAX_OPERANDS) this.error(`There are more than ${MAX_OPERANDS} operands.`, place)
    return operands
  }
}

function placeholdersIn(operand: Scalar): string[] {
  return typeof operand === 'string'
    ? Array.from(operand.matchAll(/\$\{([^}]*)\}/g), (match) => match[1]!)
    : []
}

/** Carries the argument of a context; never evaluated on its own. */
const PARAM: OperatorDefinition = {
  name: 'param',
  summary: 'The argument of a context.',
  operands: 'scalars',
  phrases: { holds: 'is', fails: 'is not' },
  test: () => () => true,
  cases: [],
}
