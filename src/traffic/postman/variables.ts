import { asList, asObject, asText, cutText, own } from '../untrusted-value.ts'

/** Longest value of one variable that is put in place. */
const MAX_VALUE = 8192
/** Longest text with its variables in place. */
const MAX_TEXT = 5_242_880
/** How deep values are within values. */
const MAX_ROUNDS = 10
const REFERENCE = /\{\{([^{}]{1,200})\}\}/g

/** What Postman's own generated variables stand for here: fixed values, so that imports repeat exactly. */
const GENERATED = new Map([
  ['$guid', '00000000-0000-4000-8000-000000000000'],
  ['$randomUUID', '00000000-0000-4000-8000-000000000000'],
  ['$timestamp', '1769850000'],
  ['$isoTimestamp', '2026-01-31T10:00:00Z'],
  ['$randomInt', '1'],
])

/** The variables visible at one place of a collection; inner ones hide outer ones, the environment hides all. */
export class Variables {
  readonly #values = new Map<string, string>()
  readonly #environment: ReadonlyMap<string, string>
  readonly #outer: Variables | undefined

  private constructor(environment: ReadonlyMap<string, string>, outer?: Variables) {
    this.#environment = environment
    this.#outer = outer
  }

  /** The outermost scope, over which the values of an environment stand. */
  static outermost(environment: Readonly<Record<string, string>> = {}): Variables {
    const values = Object.entries(environment).map(
      ([name, value]) => [name, cutText(value, MAX_VALUE)] as const,
    )
    return new Variables(new Map(values))
  }

  /** A scope inside this one, with the entries of a `variable` list; this one itself when the list is empty. */
  within(list: unknown): Variables {
    const items = asList(list)
    if (items.length === 0) return this
    const inner = new Variables(this.#environment, this)
    for (const item of items) {
      const fields = asObject(item)
      const name = asText(own(fields, 'key')) || asText(own(fields, 'id'))
      if (name !== '' && own(fields, 'disabled') !== true) {
        inner.#values.set(name, cutText(own(fields, 'value'), MAX_VALUE))
      }
    }
    return inner
  }

  #find(name: string): string | undefined {
    const set = this.#environment.get(name)
    if (set !== undefined) return set
    let scope: Variables | undefined = this
    while (scope !== undefined) {
      const value = scope.#values.get(name)
      if (value !== undefined && value !== '') return value
      scope = scope.#outer
    }
    return GENERATED.get(name) ?? (name.startsWith('$') ? 'string' : undefined)
  }

  /**
   * A text with every `{{name}}` that has a value replaced, values of values included. `missing` learns the names
   * that have none; they stay as they are, and so does a name within its own value.
   */
  fill(text: string, missing: Set<string>): string {
    const filling: Filling = { left: MAX_TEXT - text.length, cyclic: new Set() }
    let current = text
    // More than once, because a name can be made of values: {{host_{{stage}}}}.
    for (let i = 0; i < MAX_ROUNDS && current.includes('{{'); i++) {
      const next = this.#resolved(current, filling, { within: [], left: new Set(filling.cyclic) })
      if (next === current) break
      current = next
    }
    if (current.includes('{{')) {
      for (const match of current.matchAll(REFERENCE)) if (missing.size < 50) missing.add(match[1]!.trim())
    }
    return current
  }

  #resolved(text: string, filling: Filling, names: Names): string {
    return text.replace(REFERENCE, (whole, raw: string) => {
      const name = raw.trim()
      if (names.within.includes(name)) filling.cyclic.add(name)
      const isLeft = names.left.has(name) || names.within.includes(name) || names.within.length === MAX_ROUNDS
      const value = isLeft ? undefined : this.#find(name)
      if (value === undefined || value.length > filling.left) return whole
      filling.left -= value.length
      if (!value.includes('{{')) return value
      return this.#resolved(value, filling, { ...names, within: [...names.within, name] })
    })
  }
}

interface Filling {
  /** Characters of values that may still be put in place, which bounds length and work. */
  left: number
  /** Names that were met within their own values. */
  readonly cyclic: Set<string>
}

interface Names {
  /** Those whose values the text is within, the outermost first. */
  readonly within: readonly string[]
  /** Those that stay as they are. */
  readonly left: ReadonlySet<string>
}
