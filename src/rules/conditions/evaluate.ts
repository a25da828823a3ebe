import { Failure } from '../../kit/index.ts'
import type { DecodedText } from '../messages/decoded-texts.ts'
import type { DatumTest } from '../operators/operator.ts'
import { asNumber, patternsOf } from '../operators/values.ts'
import type { Pattern } from '../pattern.ts'
import { withinBudget } from '../search/pattern-budget.ts'
import { resolveOperand } from '../variables/resolve-operand.ts'
import type { Scalar } from '../variables/variables.ts'
import { extractedBy } from './extracted.ts'
import type { Frame } from './frame.ts'
import { type Judgement, judgementOf, NamesSeen, type Outcome } from './judgement.ts'
import { MatchSeen } from './match-seen.ts'
import { type Matches, narrowed, united } from './matches.ts'
import { measured } from './measure.ts'
import { testNames } from './names-test.ts'
import type { Condition, ConditionNode, ExtractNode, OperatorNode } from './node.ts'
import { type Prepared, preparedWith, remember } from './prepared.ts'
import type { Scene } from './scene.ts'

const TOP: Frame = { term: null, part: null, measure: null, isForAll: false, keySeen: false, deferred: null }
const NO_ATTEMPT = 'there is no attempt'
const NO_CHILDREN: readonly Outcome[] = []
const NO_OPERANDS: readonly Scalar[] = []
const MAX_FOUND = 100

/**
 * Judges a condition. Children are judged in file order and all of them, so that what they extract is saved even when
 * an earlier one does not hold. Waits for nothing.
 *
 * @throws Failure PATTERN_OVER_BUDGET when a pattern could not be searched for in the time of the condition: it is not
 *   known then whether the condition holds
 */
export function evaluate(condition: Condition, scene: Scene): Judgement {
  return withinBudget(() => judgementOf(new Evaluator(scene).judge(condition.root, null, TOP)))
}

class Evaluator {
  readonly #scene: Scene
  /** The final check of a flow: only comparisons of variables and callbacks can hold. */
  readonly #isWithoutAttempt: boolean

  constructor(scene: Scene) {
    this.#scene = scene
    this.#isWithoutAttempt = scene.phase === 'validate' && scene.attempt === null
  }

  judge(node: ConditionNode, matches: Matches, frame: Frame): Outcome {
    switch (node.kind) {
      case 'group':
        return node.name === 'or'
          ? this.#either(node, matches, frame)
          : this.#all(node, node.children, matches, frame)
      case 'term':
        return this.#isWithoutAttempt
          ? leaf(node, false, NO_ATTEMPT, null)
          : this.#all(node, node.children, null, { ...TOP, term: node.term })
      case 'collection':
        return this.#collection(node, frame)
      case 'part':
        return this.#all(node, node.children, matches, { ...frame, part: node.name })
      case 'measure':
        return this.#all(node, node.children, matches, { ...frame, measure: node.measure })
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
        return leaf(node, false, node.why, matches)
      case 'extract':
        return this.#extract(node, matches, frame)
    }
  }

  /** Every child must hold; each looks only at names that its earlier siblings left. */
  #all(node: ConditionNode, children: readonly ConditionNode[], before: Matches, frame: Frame): Outcome {
    const outcomes: Outcome[] = []
    let inner = frame
    let holds = true
    let matches = before
    for (const child of children) {
      const outcome = this.judge(child, matches, inner)
      outcomes.push(outcome)
      holds &&= outcome.holds
      if (child.kind === 'part' && child.name === 'key' && !inner.keySeen) inner = { ...inner, keySeen: true }
      if (child.kind === 'extract') continue
      matches = narrowed(matches, outcome.matches)
    }
    return branch(node, holds, matches, outcomes)
  }

  /** Some child must hold; the names that any of them matched go on. */
  #either(node: ConditionNode & { kind: 'group' }, before: Matches, frame: Frame): Outcome {
    const outcomes: Outcome[] = []
    let holds = false
    let matches: Matches = null
    for (const child of node.children) {
      const outcome = this.judge(child, child.kind === 'extract' ? (matches ?? before) : before, frame)
      outcomes.push(outcome)
      if (child.kind === 'extract') continue
      holds ||= outcome.holds
      matches = united(matches, outcome.matches)
    }
    return branch(node, holds, narrowed(before, matches), outcomes)
  }

  /** `for_one` and `for_all`: extractions of the first child wait for the verdict on all. */
  #collection(node: ConditionNode & { kind: 'collection' }, frame: Frame): Outcome {
    const deferred: { node: ExtractNode; frame: Frame }[] = []
    const inner: Frame = { ...frame, isForAll: node.name === 'for_all', deferred }
    const [first, ...others] = node.children
    const start = this.judge(first!, null, inner)
    const keySeen = first!.kind === 'part' && first!.name === 'key'
    const rest = this.#all(node, others, start.matches, { ...inner, keySeen, deferred: null })
    const holds = start.holds && rest.holds
    if (holds) for (const waiting of deferred) this.#save(waiting.node, rest.matches, waiting.frame)
    return branch(node, holds, rest.matches, [start, ...rest.children])
  }

  #operator(node: OperatorNode, matches: Matches, frame: Frame): Outcome {
    if (frame.term === null) return leaf(node, false, NO_ATTEMPT, null)
    const { operands, test } = this.#prepared(node)
    if (frame.part !== null) {
      const { holds, satisfied, seen } = testNames(test, frame, matches, this.#scene)
      return leaf(node, holds, new NamesSeen(seen), satisfied, operands)
    }
    const datum =
      frame.measure === null
        ? frame.term.whole(this.#scene)
        : measured(frame.term, frame.measure, this.#scene)
    if (frame.term.ignoresOperands) return leaf(node, datum === true, datum, null, operands)
    if (node.operator.operands === 'patterns' && typeof datum === 'string')
      return this.#searched(node, operands, test, datum, frame)
    const holds = datum !== null && test(datum, { key: '', lookups: this.#scene.lookups })
    return leaf(node, holds, datum, null, operands)
  }

  /** Patterns are searched for in a text as it was sent, and in the values of a body as they read. */
  #searched(
    node: OperatorNode,
    operands: readonly Scalar[],
    test: DatumTest,
    text: string,
    frame: Frame,
  ): Outcome {
    const place = { key: '', lookups: this.#scene.lookups }
    const isInText = test(text, place)
    const extracts = node.operator.name === 'regex_extract'
    const decoded = frame.measure === null && (!isInText || extracts) ? this.#decodedOf(frame) : []
    const where = isInText ? null : (decoded.find((one) => test(one.text, place)) ?? null)
    const texts = [text, ...decoded.map((one) => one.text)]
    const found = extracts ? foundBy(operands, texts) : null
    const holds = isInText || where !== null
    const observed = holds ? new MatchSeen(where?.text ?? text, where?.path ?? null, operands) : text
    return leaf(node, holds, observed, found, operands)
  }

  #decodedOf({ term }: Frame): readonly DecodedText[] {
    return term?.body?.(this.#scene).decoded ?? []
  }

  #containers(node: ConditionNode, frame: Frame): Outcome {
    const names = frame.term?.named?.(this.#scene).containers ?? []
    return leaf(node, names.length > 0, names, new Map(names.map((name) => [name, null])))
  }

  #context(node: ConditionNode & { kind: 'context' }): Outcome {
    const operands = this.#resolved(node.operands)
    const patterns: Pattern[] = []
    for (const child of node.children) {
      if (child.kind !== 'operator') continue
      const resolved = this.#resolved(child.operands)
      if (child.operator.operands === 'patterns') patterns.push(...patternsOf(resolved))
      else operands.push(...resolved)
    }
    const finding = node.context.find(this.#scene, operands, patterns, this.#scene.lookups)
    for (const child of node.children) {
      if (child.kind === 'extract' && finding.holds)
        this.#scene.variables.capture(`context_${child.variable}`, { records: finding.records })
    }
    return leaf(node, finding.holds, finding.observed, null)
  }

  #compare(node: ConditionNode & { kind: 'compare' }): Outcome {
    const [left, right] = node.operands.map((operand) => asNumber(this.#resolved([operand])[0]))
    const holds = left != null && right != null && left > right
    return leaf(node, holds, `${left ?? 'no number'} and ${right ?? 'no number'}`, null)
  }

  #callback(node: ConditionNode & { kind: 'callback' }): Outcome {
    const hit = this.#resolved(node.operands)
      .map(String)
      .find((id) => this.#scene.lookups.callbackHits(id) > 0)
    return leaf(node, hit !== undefined, hit === undefined ? 'no callback' : `called back: ${hit}`, null)
  }

  #extract(node: ExtractNode, matches: Matches, frame: Frame): Outcome {
    if (frame.deferred !== null) frame.deferred.push({ node, frame })
    else this.#save(node, matches, frame)
    return leaf(node, true, undefined, matches)
  }

  #save(node: ExtractNode, matches: Matches, frame: Frame): void {
    const value = extractedBy(node, matches, frame, this.#scene)
    if (value !== undefined) this.#scene.variables.capture(node.variable, value)
  }

  /** Operands and what is asked with them; made anew only where variables of the scene are among them. */
  #prepared(node: OperatorNode): Prepared {
    const { variables } = this.#scene
    const isNamed = (operand: Scalar): boolean =>
      typeof operand === 'string' && variables.captured(operand) !== undefined
    if (!(variables.hasCaptures && node.operands.some(isNamed))) {
      if (node.ready !== null) return { operands: node.operands, test: node.ready }
      const known = preparedWith(node, variables)
      if (known !== null) return known
    }
    const operands = this.#resolved(node.operands)
    const prepared = { operands, test: node.operator.test(operands) }
    remember(node, variables, prepared)
    return prepared
  }

  /** An operand that stands for too many values stays as it is written, like one that stands for none. */
  #resolved(operands: readonly Scalar[]): Scalar[] {
    const { variables, sample, attempt } = this.#scene
    const messages = { sample, test: attempt ?? sample }
    return operands.flatMap((operand) => {
      try {
        return resolveOperand(operand, variables, messages)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return [operand]
      }
    })
  }
}

function branch(
  node: ConditionNode,
  holds: boolean,
  matches: Matches,
  children: readonly Outcome[],
): Outcome {
  return { node, holds, matches, operands: NO_OPERANDS, observed: undefined, children }
}

function leaf(
  node: ConditionNode,
  holds: boolean,
  observed: unknown,
  matches: Matches,
  operands: readonly Scalar[] = NO_OPERANDS,
): Outcome {
  return { node, holds, matches, operands, observed, children: NO_CHILDREN }
}

function foundBy(operands: readonly Scalar[], texts: readonly string[]): Map<string, unknown> {
  const found = new Map<string, unknown>()
  for (const pattern of patternsOf(operands))
    for (const text of texts)
      for (const match of pattern.findAll(text, MAX_FOUND))
        if (found.size < MAX_FOUND) found.set(match, match)
  return found
}
