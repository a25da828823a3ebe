import type { Location } from '../../../data-types/index.ts'
import type { BodyShape, BodyShapes } from '../../../http/index.ts'
import { COUNTED_KINDS } from '../../../http/index.ts'
import type { Fact, KeyNode, KeyTree, PendingCounts, TouchedFacts } from '../state/index.ts'
import {
  isSettled,
  type LearningContext,
  learnLeaf,
  noteSensitive,
  SAMPLE_RARELY,
  type TextBytes,
  TYPE_OF_KIND,
} from '../values/index.ts'

/** Shapes with more keys are made anew after a body of another shape instead of being looked through. */
const MAX_REFRESHED = 256
/** The type of ordinary texts: among them are numbers that must be told apart. */
const ORDINARY = 'GENERIC'

/** Texts in the memory that holds shapes. */
export interface ShapedTexts extends TextBytes {
  readonly shapes: BodyShapes
}

/**
 * The keys of one place in the memory of the scanner, which counts there what stands at each. The facts get it when the
 * batch is written, and before a value is judged, whose verdict may change what the next ones count for.
 */
export class KnownShape implements PendingCounts, BodyShape<KeyNode> {
  readonly at: number
  readonly generation: number
  readonly keys: readonly KeyNode[]
  readonly #shapes: BodyShapes
  /** What is counted for each kind at each key, {@link COUNTED_KINDS} by key; null: nothing was met there. */
  readonly #facts: (Fact | null)[]
  readonly #version: number
  #isPending = false

  private constructor(tree: KeyTree, shapes: BodyShapes, { at, generation, keys }: BodyShape<KeyNode>) {
    this.at = at
    this.generation = generation
    this.keys = keys
    this.#shapes = shapes
    this.#facts = new Array<Fact | null>(keys.length * COUNTED_KINDS).fill(null)
    this.#version = tree.version
    for (let index = 0; index < keys.length; index++) {
      shapes.setTicks(this, index, keys[index]!.ticks)
      this.#note(index)
    }
  }

  /** The shape of a place as it is now; null when there is no room. */
  static of(tree: KeyTree, shapes: BodyShapes): KnownShape | null {
    const shape = shapes.make(tree.root)
    return shape === null ? null : new KnownShape(tree, shapes, shape)
  }

  isIn(shapes: BodyShapes): boolean {
    return this.#shapes === shapes && shapes.holds(this)
  }

  /** Learns the body between two positions; false, and nothing is learned, when it has other keys. */
  learn(
    tree: KeyTree,
    texts: ShapedTexts,
    start: number,
    end: number,
    location: Location,
    context: LearningContext,
  ): boolean {
    const { shapes } = texts
    const asked = shapes.read(this, start, end, context.at)
    if (asked < 0) return false
    if (!this.#isPending) {
      this.#isPending = true
      context.pending.push(this)
    }
    for (let i = 0; i < shapes.metCount; i++) {
      noteSensitive(context, tree.isResponse, this.#facts[placeOf(shapes.met(i))]!.type)
    }
    for (let i = 0; i < asked; i++) this.#learnAsked(tree, texts, i, location, context)
    return true
  }

  /** Learns a value that the scanner left to us. */
  #learnAsked(
    tree: KeyTree,
    texts: ShapedTexts,
    number: number,
    location: Location,
    context: LearningContext,
  ): void {
    const { shapes } = texts
    const index = shapes.askedKey(number)
    const node = this.keys[index]!
    this.#settleKey(index, context.touched)
    const { last, usualText } = node
    const isSensitive = last?.isSensitive
    const types = node.facts.length
    const isNew = shapes.askedIsNew(number)
    node.ticks = isNew ? 0 : shapes.ticks(this, index)
    const isDue = node.ticks === 0
    const start = shapes.askedStart(number)
    const end = shapes.askedEnd(number)
    learnLeaf(tree, node, texts, shapes.askedKind(number), start, end, location, context)
    if (isDue && isSettled(node)) {
      // Every value of a new look is judged: of the others few are worth a look.
      node.ticks = SAMPLE_RARELY - 1
      // It stands for itself alone: what is not judged counts on as what is usual here.
      if (isNew) {
        node.last = last
        node.usualText = usualText
      }
    }
    shapes.setTicks(this, index, node.ticks)
    const isSame = node.last === last && last?.isSensitive === isSensitive
    if (!isSame || node.usualText !== usualText || node.facts.length !== types) this.#note(index)
  }

  /** Takes over what a body that was learned in another way has changed; false when the shape is of no more use. */
  refresh(tree: KeyTree, touched: TouchedFacts): boolean {
    if (this.#version !== tree.version || this.keys.length > MAX_REFRESHED) return false
    for (let index = 0; index < this.keys.length; index++) {
      this.#settleKey(index, touched)
      const ticks = Math.min(this.#shapes.ticks(this, index), this.keys[index]!.ticks)
      this.#shapes.setTicks(this, index, ticks)
      this.#note(index)
    }
    return true
  }

  settle(touched: TouchedFacts): void {
    this.#isPending = false
    for (let index = 0; index < this.keys.length; index++) this.#settleKey(index, touched)
  }

  #settleKey(index: number, touched: TouchedFacts): void {
    const shapes = this.#shapes
    if (!shapes.takeCounted(this, index)) return
    for (let kind = 0; kind < COUNTED_KINDS; kind++) {
      const count = shapes.takeCount(this, index, kind)
      if (count === 0) continue
      const fact = this.#facts[index * COUNTED_KINDS + kind]!
      fact.add(count, shapes.firstOf(this, index, kind), shapes.lastOf(this, index, kind), touched)
    }
  }

  /** Says to the scanner what is counted at a key. */
  #note(index: number): void {
    const node = this.keys[index]!
    let known = 0
    let sensitive = 0
    for (let kind = 0; kind < COUNTED_KINDS; kind++) {
      const fact = factOf(node, kind)
      this.#facts[index * COUNTED_KINDS + kind] = fact
      if (fact === null) continue
      known |= 1 << kind
      if (fact.isSensitive) sensitive |= 1 << kind
    }
    this.#shapes.setCounted(this, index, known, sensitive, node.usualText === ORDINARY)
  }
}

/** What {@link BodyShapes.met} gives, as a place among the facts. */
function placeOf(met: number): number {
  return (met >> 3) * COUNTED_KINDS + (met & 7)
}

/** The fact that values of a kind count for at a node when they are not judged; null when it is not there. */
function factOf(node: KeyNode, kind: number): Fact | null {
  const basic = TYPE_OF_KIND[kind]!
  const isNumber = basic === 'INTEGER_32' || basic === 'FLOAT'
  if (isNumber && node.last?.isSensitive) return node.last
  const type = kind === 0 ? node.usualText : basic
  return node.facts.find((fact) => fact.type === type) ?? null
}
