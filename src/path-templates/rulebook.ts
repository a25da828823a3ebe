import type { EvidenceNode } from './evidence-trie.ts'
import { isEndingSegment } from './path-suffix.ts'
import {
  formatTemplate,
  parseTemplate,
  shapeText,
  splitPath,
  type TemplateSegment,
  withWholeEnd,
} from './template.ts'

/** Who stated a template: a person, or a route of a framework or document. Both outrank what is learned. */
export type RuleSource = 'person' | 'route'

/** A stated template, or (all segments literal) a path that must stay as it is. */
interface Rule {
  source: RuleSource
  /** Who stated it, as the caller named them; '' when not told. */
  by: string
  segments: readonly TemplateSegment[]
}

/** A rule whose first `at` segments fit the template so far. */
export interface Cursor {
  rule: Rule
  at: number
}

/** JSON form of a {@link Rulebook}. */
export interface RulebookSnapshot {
  templates: { source: RuleSource; by?: string; segments: readonly TemplateSegment[] }[]
  pins: string[]
  splits: { method: string | null; shape: string }[]
}

/** Looking for the rest of a rule below a node stops after this many steps. */
const MAX_STEPS = 2000

/** Hard evidence of one trie: stated templates, pinned paths, templates that a person split. */
export class Rulebook {
  readonly #templates = new Map<string, Rule>()
  readonly #pins = new Map<string, Rule>()
  /** Shape of the template → methods, null for all. */
  readonly #splits = new Map<string, Set<string | null>>()
  readonly #pinned = new Set<string>()

  get templates(): Iterable<Rule> {
    return this.#templates.values()
  }

  /** Number of stated templates. */
  get size(): number {
    return this.#templates.size
  }

  /** States a template; what a person says replaces what a route says. */
  state(text: string, source: RuleSource, by = ''): Rule {
    const { segments } = parseTemplate(text)
    const shape = shapeText(segments)
    const known = this.#templates.get(shape)
    if (known?.source === 'person' && source === 'route') return known
    const rule = { source, by, segments }
    this.#templates.set(shape, rule)
    if (source === 'person') this.#splits.delete(shape)
    return rule
  }

  /** Takes back what a person stated; false when no person did. */
  takeBack(shape: string): boolean {
    if (this.#templates.get(shape)?.source !== 'person') return false
    return this.#templates.delete(shape)
  }

  split(shape: string, method: string | null): void {
    const methods = this.#splits.get(shape)
    if (methods) methods.add(method)
    else this.#splits.set(shape, new Set([method]))
  }

  isSplit(shape: string, method: string): boolean {
    if (this.#splits.size === 0) return false
    const methods = this.#splits.get(shape)
    return methods !== undefined && (methods.has(null) || methods.has(method))
  }

  get hasSplits(): boolean {
    return this.#splits.size > 0
  }

  isStatedByPerson(shape: string): boolean {
    return this.#templates.get(shape)?.source === 'person'
  }

  /** The rule that states a template of this shape. */
  ruleOf(shape: string): Rule | null {
    return this.#templates.get(shape) ?? null
  }

  /** The rule whose beginning has this shape, what a person said first. */
  ruleFrom(segments: readonly string[]): Rule | null {
    let found: Rule | null = null
    for (const rule of this.#templates.values()) {
      const fits = segments.every((text, i) => {
        const segment = rule.segments[i]
        return segment?.kind === 'param' ? text === '{}' : segment?.value === text
      })
      if (fits && (found === null || rule.source === 'person')) found = rule
    }
    return found
  }

  /**
   * Segments of an observed path: an ending is a separate segment, unless a stated template takes the whole last
   * segment (`/files/{name}`) and none is stated with the ending.
   */
  segmentsOf(path: string): readonly string[] {
    const segments = splitPath(path)
    if (!isEndingSegment(segments.at(-1) ?? '')) return segments
    const whole = withWholeEnd(segments)
    let isTaken = false
    for (const { segments: stated } of this.#templates.values()) {
      if (fitsRule(stated, segments)) return segments
      isTaken ||= stated.at(-1)?.kind === 'param' && fitsRule(stated, whole)
    }
    return isTaken ? whole : segments
  }

  pin(path: string): void {
    const segments = splitPath(path).map((value): TemplateSegment => ({ kind: 'literal', value }))
    this.#pins.set(formatTemplate(segments), { source: 'person', by: '', segments })
    for (const segment of segments) if (segment.kind === 'literal') this.#pinned.add(segment.value)
  }

  /** The token is part of a pinned path somewhere: it keeps its own node even if it is a number. */
  isPinnedToken(token: string): boolean {
    return this.#pinned.has(token)
  }

  start(): Cursor[] {
    return [...this.#templates.values(), ...this.#pins.values()].map((rule) => ({ rule, at: 0 }))
  }

  /** Takes over routes that are missing here; true when there were any. */
  takeRoutes({ templates }: RulebookSnapshot): boolean {
    const missing = templates.filter(
      ({ source, segments }) => source === 'route' && !this.#templates.has(shapeText(segments)),
    )
    for (const { source, by = '', segments } of missing)
      this.#templates.set(shapeText(segments), { source, by, segments })
    return missing.length > 0
  }

  snapshot(): RulebookSnapshot {
    const splits: RulebookSnapshot['splits'] = []
    for (const [shape, methods] of this.#splits) for (const method of methods) splits.push({ method, shape })
    return { templates: [...this.#templates.values()], pins: [...this.#pins.keys()], splits }
  }

  static restore(snapshot: RulebookSnapshot): Rulebook {
    const book = new Rulebook()
    for (const { source, by = '', segments } of snapshot.templates) {
      book.#templates.set(shapeText(segments), { source, by, segments })
    }
    for (const path of snapshot.pins) book.pin(path)
    for (const { method, shape } of snapshot.splits) book.split(shape, method)
    return book
  }
}

function fitsRule(stated: readonly TemplateSegment[], segments: readonly string[]): boolean {
  if (stated.length !== segments.length) return false
  return stated.every((segment, i) => segment.kind === 'param' || segment.value === segments[i])
}

/** True when a rule claims this token as a static segment at this position. */
export function claimsLiteral(cursors: readonly Cursor[], token: string): boolean {
  return cursors.some(({ rule, at }) => {
    const segment = rule.segments[at]
    return segment?.kind === 'literal' && segment.value === token
  })
}

/** The cursors one segment further along a literal. */
export function alongLiteral(cursors: readonly Cursor[], token: string): Cursor[] {
  const next: Cursor[] = []
  for (const { rule, at } of cursors) {
    const segment = rule.segments[at]
    if (segment?.kind === 'literal' && segment.value === token) next.push({ rule, at: at + 1 })
  }
  return next
}

/** The cursors at a parameter, and one segment further. */
export function alongParam(cursors: readonly Cursor[]): { here: Cursor[]; next: Cursor[] } {
  const here = cursors.filter(({ rule, at }) => rule.segments[at]?.kind === 'param')
  return { here, next: here.map(({ rule, at }) => ({ rule, at: at + 1 })) }
}

/** True when something observed below the nodes fits the rest of the rule. */
export function fitsBelow(
  nodes: readonly EvidenceNode[],
  segments: readonly TemplateSegment[],
  at: number,
): boolean {
  let steps = 0
  const search = (node: EvidenceNode, index: number): boolean => {
    if (++steps > MAX_STEPS) return false
    if (index === segments.length) return node.leaves !== null
    const segment = segments[index]!
    if (segment.kind === 'literal') {
      const child = node.kids?.get(segment.value)
      return child !== undefined && search(child, index + 1)
    }
    if (segment.isTail) return true
    return node.children.some((child) => search(child, index + 1))
  }
  return nodes.some((node) => search(node, at))
}
