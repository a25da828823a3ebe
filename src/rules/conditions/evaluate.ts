import { asNumber } from '../operators/values.ts'
import { compilePattern, type Pattern } from '../pattern.ts'
import { percentage, schemaPercentage } from '../percentages.ts'
import type { NamedValue, TermDefinition, TermNames } from '../terms/term.ts'
import { resolveOperand } from '../variables/resolve-operand.ts'
import type { Scalar } from '../variables/variables.ts'
import { type Judgement, observedText, type Reason } from './judgement.ts'
import type { Condition, ConditionNode, Measure } from './node.ts'
import type { Scene } from './scene.ts'

/** Matched names with the value that belongs to each; null: nothing was looked at by name yet. */
type Matches = ReadonlyMap<string, unknown> | null

/** What stands above a node while it is judged. */
interface Frame {
  readonly term: TermDefinition | null
  readonly part: 'key' | 'value' | null
  readonly measure: Measure | null
  readonly isForAll: boolean
  /** A `key` was judged before among these siblings. */
  readonly keySeen: boolean
  /** Extractions wait here until the collection is judged; null: they run in place. */
  readonly deferred: ExtractNode[] | null
}

type ExtractNode = ConditionNode & { readonly kind: 'extract' }
type OperatorNode = ConditionNode & { readonly kind: 'operator' }

interface Outcome {
  readonly holds: boolean
  readonly matches: Matches
  readonly reason: Reason
}

const TOP: Frame = { term: null, part: null, measure: null, isForAll: false, keySeen: false, deferred: null }

/**
 * Judges a condition. Children are judged in file order and all of them, so that what they extract is saved even when
 * an earlier one does not hold.
 */
export function evaluate(condition: Condition, scene: Scene): Judgement {
  const { holds, reason } = new Evaluator(scene).judge(condition.root, null, TOP)
  return { holds, reasons: reason }
}

class Evaluator {
  readonly #scene: Scene
  readonly #names = new Map<TermDefinition, TermNames>()

  constructor(scene: Scene) {
    this.#scene = scene
  }

  judge(node: ConditionNode, matches: Matches, frame: Frame): Outcome {
    switch (node.kind) {
      case 'group':
        return this.#children(node, node.name === 'or' ? 'or' : node.name, node.children, matches, frame)
      case 'term':
        return this.#children(node, node.term.name, node.children, null, {
          ...TOP,
          term: node.term,
          deferred: frame.deferred,
        })
      case 'collection':
        return this.#collection(node, frame)
      case 'part':
        return this.#children(node, node.name, node.children, matches, { ...frame, part: node.name })
      case 'measure':
        return this.#children(node, node.measure, node.children, matches, { ...frame, measure: node.measure })
      case 'context':
        return this.#context(node)
      case 'operator':
        return this.#operator(node, matches, frame)
      case 'containers':
        return this.#containers(node, frame)
      case 'compare':
        return this.#compare(node)
      case 'callback':
        return this.#callback(node)
      case 'unsupported':
        return leaf(node, node.name, false, node.why, matches)
      case 'extract':
        return this.#extract(node, matches, frame)
    }
  }

  #children(
    node: ConditionNode,
    text: string,
    children: readonly ConditionNode[],
    before: Matches,
    frame: Frame,
  ): Outcome {
    const isOr = text === 'or'
    let holds = !isOr
    let matches = before
    let { keySeen } = frame
    const reasons: Reason[] = []
    let isFresh = true
    for (const child of children) {
      const outcome = this.judge(child, matches, { ...frame, keySeen })
      reasons.push(outcome.reason)
      holds = isOr ? holds || outcome.holds : holds && outcome.holds
      if (child.kind === 'part' && child.name === 'key') keySeen = true
      if (child.kind === 'extract') continue
      matches =
        isFresh && !keySeen && before === null ? outcome.matches : merged(matches, outcome.matches, isOr)
      isFresh = false
    }
    return { holds, matches, reason: { text, holds, line: node.place.line, children: reasons } }
  }

  /** `for_one` and `for_all`: extractions of the first child wait for the verdict on all. */
  #collection(node: ConditionNode & { kind: 'collection' }, frame: Frame): Outcome {
    const deferred: ExtractNode[] = []
    const inner: Frame = { ...frame, isForAll: node.name === 'for_all' }
    let matches: Matches = null
    let holds = true
    let keySeen = false
    const reasons: Reason[] = []
    node.children.forEach((child, i) => {
      const outcome = this.judge(child, matches, { ...inner, keySeen, deferred: i === 0 ? deferred : null })
      reasons.push(outcome.reason)
      holds &&= outcome.holds
      if (child.kind === 'part' && child.name === 'key') keySeen = true
      if (child.kind !== 'extract')
        matches = i === 0 ? outcome.matches : merged(matches, outcome.matches, false)
    })
    if (holds) {
      for (const extract of deferred) {
        const part = partAbove(node, extract)
        this.#save(extract, matches, { ...inner, part, deferred: null })
      }
    }
    return { holds, matches, reason: { text: node.name, holds, line: node.place.line, children: reasons } }
  }

  #operator(node: OperatorNode, matches: Matches, frame: Frame): Outcome {
    const operands = node.operands.flatMap((operand) => this.#resolved(operand))
    const text = `${node.operator.name} ${operands.length === 1 ? observedText(operands[0]) : observedText(operands)}`
    if (frame.term === null || this.#isWithoutAttempt)
      return leaf(node, text, false, 'there is no attempt', null)
    if (frame.part !== null) return this.#named(node, text, operands, matches, frame)
    const datum =
      frame.measure === null ? frame.term.whole(this.#scene) : this.#measured(frame.term, frame.measure)
    const place = { key: '', lookups: this.#scene.lookups }
    const holds = datum !== null && node.operator.evaluate(datum, operands, place)
    const found =
      node.operator.name === 'regex_extract' && typeof datum === 'string' ? foundBy(operands, datum) : null
    return leaf(node, text, holds, observedText(datum), found)
  }

  /** An operator under `key` or `value`: which names satisfy it. */
  #named(node: OperatorNode, text: string, operands: Scalar[], matches: Matches, frame: Frame): Outcome {
    const names = this.#namesOf(frame.term!)
    const isKey = frame.part === 'key'
    // A value after a key is looked for at the matched names only; so is a further operator of the same value.
    const isLinked = !isKey && frame.keySeen && matches !== null
    const candidates = (isKey ? names.keys : names.values).filter(
      ({ name }) => !isLinked || matches.has(name),
    )
    const satisfied = new Map<string, unknown>()
    let failed = 0
    for (const { name, value } of candidates) {
      const place = { key: name, lookups: this.#scene.lookups }
      if (node.operator.evaluate(isKey ? name : value, operands, place)) {
        if (!satisfied.has(name)) satisfied.set(name, isKey ? value : value)
      } else failed++
    }
    const holds = frame.isForAll ? candidates.length > 0 && failed === 0 : satisfied.size > 0
    return leaf(node, text, holds, observedNames(satisfied, candidates), satisfied)
  }

  #containers(node: ConditionNode, frame: Frame): Outcome {
    const names = frame.term === null ? [] : (this.#namesOf(frame.term).containers ?? [])
    return leaf(
      node,
      'valueType',
      names.length > 0,
      observedText(names),
      new Map(names.map((name) => [name, null])),
    )
  }

  #context(node: ConditionNode & { kind: 'context' }): Outcome {
    const comparisons = node.children.filter((child): child is OperatorNode => child.kind === 'operator')
    const patterns: Pattern[] = []
    const operands = node.operands.flatMap((operand) => this.#resolved(operand))
    for (const child of comparisons) {
      const resolved = child.operands.flatMap((operand) => this.#resolved(operand))
      if (child.operator.operands !== 'patterns') operands.push(...resolved)
      else {
        for (const source of resolved) {
          const pattern = compilePattern(String(source).trim())
          if (typeof pattern !== 'string') patterns.push(pattern)
        }
      }
    }
    const finding = node.context.find(this.#scene, operands, patterns, this.#scene.lookups)
    for (const child of node.children) {
      if (child.kind === 'extract' && finding.holds)
        this.#scene.variables.capture(`context_${child.variable}`, { records: finding.records })
    }
    return leaf(node, node.context.name, finding.holds, finding.observed, null)
  }

  #compare(node: ConditionNode & { kind: 'compare' }): Outcome {
    const [left, right] = node.operands.map((operand) => asNumber(this.#resolved(operand)[0]))
    const holds = left != null && right != null && left > right
    return leaf(node, `${node.operands[0]} > ${node.operands[1]}`, holds, `${left} and ${right}`, null)
  }

  #callback(node: ConditionNode & { kind: 'callback' }): Outcome {
    const ids = node.operands.flatMap((operand) => this.#resolved(operand)).map(String)
    const hit = ids.filter((id) => this.#scene.lookups.callbackHits(id) > 0)
    return leaf(
      node,
      'ssrf_url_hit',
      hit.length > 0,
      hit.length > 0 ? `called back: ${hit[0]}` : 'no call-back',
      null,
    )
  }

  #extract(node: ExtractNode, matches: Matches, frame: Frame): Outcome {
    if (frame.deferred !== null) frame.deferred.push(node)
    else if (!this.#isWithoutAttempt) this.#save(node, matches, frame)
    return leaf(node, `extract ${node.variable}`, true, '', matches)
  }

  #save(node: ExtractNode, matches: Matches, frame: Frame): void {
    const value = this.#extracted(node, matches, frame)
    if (value !== undefined) this.#scene.variables.capture(node.variable, value)
  }

  #extracted(node: ExtractNode, matches: Matches, frame: Frame): Scalar | readonly Scalar[] | undefined {
    if (frame.measure !== null && frame.term !== null)
      return this.#measured(frame.term, frame.measure) ?? undefined
    if (frame.part === 'value') {
      const values = [...(matches ?? this.#allOf(frame)).values()].map(asScalar)
      if (values.length === 0) return undefined
      return node.isMultiple ? values : [values[0]!]
    }
    if (matches !== null && matches.size > 0) {
      const names = [...matches.keys()]
      return node.isMultiple ? names : names[0]
    }
    if (frame.part === 'key' || frame.term === null) return undefined
    const { term } = frame
    return term.extracted === undefined ? term.whole(this.#scene) : term.extracted(this.#scene)
  }

  /** An extraction that no comparison stands beside takes what is there. */
  #allOf(frame: Frame): ReadonlyMap<string, unknown> {
    const values = frame.term === null ? [] : this.#namesOf(frame.term).values
    return new Map(values.map(({ name, value }) => [name, value]))
  }

  /** Length of a body is counted without its outer braces; an empty body has none. */
  #measured(term: TermDefinition, measure: Measure): number | null {
    const body = term.body?.(this.#scene)
    if (body === undefined) {
      const whole = term.whole(this.#scene)
      if (measure === 'length' && term.name === 'query_param')
        return whole === null ? 0 : String(whole).length
      return typeof whole === 'number' ? whole : null
    }
    const sample = this.#scene.sample.responseBody.text
    switch (measure) {
      case 'length':
        return body.text === '' ? null : body.text.length - 2
      case 'percentage_match':
        return Math.trunc(percentage(body.text, sample))
      case 'percentage_match_schema':
        return schemaPercentage((this.#scene.attempt ?? this.#scene.sample).responseBody.text, sample)
      case 'nlp_classification':
        return null
    }
  }

  #namesOf(definition: TermDefinition): TermNames {
    const known = this.#names.get(definition)
    if (known !== undefined) return known
    const names = definition.named?.(this.#scene) ?? { keys: [], values: [] }
    this.#names.set(definition, names)
    return names
  }

  #resolved(operand: Scalar): Scalar[] {
    const { variables, sample, attempt } = this.#scene
    return resolveOperand(operand, variables, { sample, test: attempt ?? sample })
  }

  get #isWithoutAttempt(): boolean {
    return this.#scene.phase === 'validate' && this.#scene.attempt === null
  }
}

function leaf(
  node: ConditionNode,
  text: string,
  holds: boolean,
  observed: string,
  matches: Matches,
): Outcome {
  return { holds, matches, reason: { text, holds, observed, line: node.place.line, children: [] } }
}

/** Names of both, in the order of the first; the later value is the narrower one. */
function merged(before: Matches, after: Matches, isUnion: boolean): Matches {
  if (after === null) return isUnion ? before : new Map()
  if (before === null) return after
  if (isUnion) return new Map([...before, ...after])
  return new Map([...after].filter(([name]) => before.has(name)))
}

function foundBy(operands: readonly Scalar[], text: string): Map<string, unknown> {
  const found = new Map<string, unknown>()
  for (const operand of operands) {
    const pattern = compilePattern(String(operand).trim())
    if (typeof pattern === 'string') continue
    for (const match of pattern.findAll(text, 100)) found.set(match, match)
  }
  return found
}

function asScalar(value: unknown): Scalar {
  return typeof value === 'object' ? null : (value as Scalar)
}

function observedNames(satisfied: ReadonlyMap<string, unknown>, candidates: readonly NamedValue[]): string {
  if (candidates.length === 0) return 'nothing to look at'
  const shown = satisfied.size > 0 ? [...satisfied.keys()] : candidates.map(({ name }) => name)
  return observedText(shown.slice(0, 10).join(', '))
}

/** The part that an extraction of a collection's first child stands in. */
function partAbove(
  node: ConditionNode,
  wanted: ExtractNode,
  part: 'key' | 'value' | null = null,
): 'key' | 'value' | null {
  if (!('children' in node)) return null
  for (const child of node.children) {
    if (child === wanted) return part
    if ('children' in child) {
      const found = partAbove(child, wanted, child.kind === 'part' ? child.name : part)
      if (found !== null || contains(child, wanted)) return found
    }
  }
  return null
}

function contains(node: ConditionNode, wanted: ConditionNode): boolean {
  return 'children' in node && node.children.some((child) => child === wanted || contains(child, wanted))
}
