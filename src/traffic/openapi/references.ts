import type { OutsideObject } from '../untrusted-value.ts'
import { asObject, own } from '../untrusted-value.ts'

/** Longest chain of references to references. */
const MAX_CHAIN = 32

/** What a node stands for once its references are followed. */
interface Resolved {
  /** Undefined when the reference leads nowhere; `problem` then says why. */
  readonly value: OutsideObject | undefined
  /** The last reference followed; '' when there was none. Names a schema, which is how cycles are noticed. */
  readonly ref: string
  readonly problem?: string
}

/**
 * Follows `$ref` inside one document (RFC 6901 pointers). Nothing outside the document is ever loaded: a reference
 * to another file or address is refused (CWE-918).
 */
export class References {
  readonly #root: unknown
  readonly #known = new Map<string, unknown>()

  constructor(root: unknown) {
    this.#root = root
  }

  /** The object that `node` is or refers to. */
  resolve(node: unknown): Resolved {
    let value = asObject(node)
    let ref = ''
    for (let i = 0; i < MAX_CHAIN; i++) {
      const next = own(value, '$ref')
      if (typeof next !== 'string') return { value, ref }
      if (!next.startsWith('#')) {
        return {
          value: undefined,
          ref: next,
          problem: `the reference "${next.slice(0, 120)}" leads outside the document`,
        }
      }
      ref = next
      value = asObject(this.#at(next))
      if (value === undefined) {
        return { value: undefined, ref, problem: `the reference "${next.slice(0, 120)}" leads nowhere` }
      }
    }
    return { value: undefined, ref, problem: `the reference "${ref.slice(0, 120)}" goes round in a circle` }
  }

  #at(ref: string): unknown {
    if (this.#known.has(ref)) return this.#known.get(ref)
    let value: unknown = this.#root
    for (const token of ref.slice(1).split('/').slice(1)) {
      const name = decodeToken(token)
      if (Array.isArray(value)) value = /^\d{1,9}$/.test(name) ? value[Number(name)] : undefined
      else value = own(asObject(value), name)
      if (value === undefined) break
    }
    this.#known.set(ref, value)
    return value
  }
}

function decodeToken(token: string): string {
  let text = token
  try {
    text = decodeURIComponent(token)
  } catch {
    // Not percent-encoded: the token is taken as it stands.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}
