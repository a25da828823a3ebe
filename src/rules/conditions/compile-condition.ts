import { nearestWord } from '../../kit/index.ts'
import { isRange } from '../operators/cidr.ts'
import type { OperatorDefinition } from '../operators/operator.ts'
import { compilePattern } from '../pattern.ts'
import type { Scalar } from '../variables/variables.ts'
import { itemsOf, type Place, type Problem, type YamlNode } from '../yaml/node.ts'
import type { Condition, ConditionNode, Measure } from './node.ts'
import { conditionWords, contextsByName, operatorsByName, termsByName, UNSUPPORTED } from './words.ts'

const MEASURES = new Set(['length', 'percentage_match', 'percentage_match_schema', 'nlp_classification'])
const MAX_OPERANDS = 2_000

/** What stands above a node. */
interface Above {
  readonly term: string | null
  readonly hasCollection: boolean
  readonly hasContext: boolean
  readonly part: 'key' | 'value' | null
  readonly measure: boolean
}

const NOTHING: Above = { term: null, hasCollection: false, hasContext: false, part: null, measure: false }

/**
 * Compiles a condition tree, and reports everything that is wrong with it with its place.
 *
 * @param language which templates it stands in: security tests, or filters of live traffic
 * @returns null when there was an error
 */
export function compileCondition(
  node: YamlNode,
  _language: 'test' | 'filter',
  problems: Problem[],
): Condition | null {
  const compiler = new Compiler(problems)
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
  readonly #problems: Problem[]

  constructor(problems: Problem[]) {
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
        return { kind: 'compare', operands: this.#compared(value, place), place }
      case 'ssrf_url_hit':
        return { kind: 'callback', operands: this.#operands(value, place), place }
      case 'for_one':
      case 'for_all':
        if (above.hasCollection) this.error(`${word} may not stand below another collection.`, place)
        if (above.term === null) this.error(`${word} needs a term above it, such as response_payload.`, place)
        return {
          kind: 'collection',
          name,
          children: this.#inner(value, { ...above, hasCollection: true }, place),
          place,
        }
      case 'key':
      case 'value':
        return this.#part(name, value, place, above)
      case 'extract':
      case 'extractmultiple':
        return this.#extract(name === 'extractmultiple', value, place)
      case 'valuetype':
        return { kind: 'containers', place }
      case 'param':
        return { kind: 'operator', operator: PARAM, operands: this.#operands(value, place), place }
    }
    if (MEASURES.has(name)) return this.#measure(name as Measure, value, place, above)
    const termDefinition = termsByName.get(name)
    if (termDefinition !== undefined) {
      if (above.term !== null) this.error(`${word} may not stand below another term (${above.term}).`, place)
      const children = this.#inner(value, { ...NOTHING, term: name, hasContext: above.hasContext }, place)
      return { kind: 'term', term: termDefinition, children, place }
    }
    const contextDefinition = contextsByName.get(name)
    if (contextDefinition !== undefined) {
      if (contextDefinition.takesOperand) {
        return {
          kind: 'context',
          context: contextDefinition,
          operands: this.#operands(value, place),
          children: [],
          place,
        }
      }
      const children = this.#inner(value, { ...above, hasContext: true }, place)
      return { kind: 'context', context: contextDefinition, operands: [], children, place }
    }
    return this.#leaf(word, name, value, place, above)
  }

  #leaf(word: string, name: string, value: YamlNode, place: Place, above: Above): ConditionNode | null {
    const operator = operatorsByName.get(name)
    if (operator !== undefined) return this.#operator(operator, value, place, above)
    const why = UNSUPPORTED.get(name)
    if (why !== undefined) return { kind: 'unsupported', name, why, place }
    this.error(`${word} is no word of conditions.`, place, nearestWord(name, conditionWords))
    return null
  }

  #operator(definition: OperatorDefinition, value: YamlNode, place: Place, above: Above): ConditionNode {
    if (above.term === null && !above.hasContext)
      this.error(`${definition.name} needs a term above it, such as response_payload.`, place)
    const operands = this.#operands(value, place)
    if (definition.operands === 'patterns') {
      for (const operand of operands) {
        if (typeof operand !== 'string' || operand.includes('${')) continue
        const pattern = compilePattern(operand.trim())
        if (typeof pattern === 'string') this.warn(`It never matches: ${pattern}.`, place)
      }
    }
    if (definition.operands === 'ranges') {
      for (const operand of operands)
        if (!isRange(String(operand))) this.error(`${String(operand)} is no range such as 10.0.0.0/8.`, place)
    }
    return { kind: 'operator', operator: definition, operands, place }
  }

  #part(name: 'key' | 'value', value: YamlNode, place: Place, above: Above): ConditionNode {
    const termDefinition = above.term === null ? undefined : termsByName.get(above.term)
    if (termDefinition !== undefined && termDefinition.named === undefined)
      this.error(`${above.term} has no names: compare it as a whole.`, place)
    if (termDefinition === undefined)
      this.error(`${name} needs a term above it, such as response_payload.`, place)
    // A bare name under `key` is a comparison with it.
    return { kind: 'part', name, children: this.#inner(value, { ...above, part: name }, place), place }
  }

  #measure(measure: Measure, value: YamlNode, place: Place, above: Above): ConditionNode {
    const isOrphan = above.term === null && !above.hasContext
    const below: Above = {
      ...above,
      measure: true,
      term: above.term ?? (isOrphan ? 'response_payload' : null),
    }
    const node: ConditionNode = {
      kind: 'measure',
      measure,
      children: this.#inner(value, below, place),
      place,
    }
    if (!isOrphan) return node
    this.warn(`${measure} stands outside of a term and is taken for one of response_payload.`, place)
    return { kind: 'term', term: termsByName.get('response_payload')!, children: [node], place }
  }

  #inner(value: YamlNode, above: Above, place: Place): ConditionNode[] {
    const children = this.children(value, above)
    if (children.length === 0) this.error('An operator or an extraction is missing here.', place)
    return children
  }

  #extract(isMultiple: boolean, value: YamlNode, place: Place): ConditionNode | null {
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

/** Carries the argument of a context; never evaluated by itself. */
const PARAM: OperatorDefinition = {
  name: 'param',
  summary: 'The argument of a context.',
  operands: 'scalars',
  evaluate: () => true,
  cases: [],
}
