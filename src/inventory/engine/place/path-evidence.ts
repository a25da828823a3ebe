import type { ObservedExchange } from '../../../path-templates/index.ts'
import { callerNames, type ExchangeView, keyNamesOf } from '../learn/index.ts'

/** Key names given to the path engine, per exchange. */
const MAX_KEYS = 200

/** Key lists met lately: exchanges of one endpoint share theirs instead of each holding its own. */
const keyLists = new Map<string, readonly string[]>()
const MAX_KEY_LISTS = 2000

/** What the path engine is told of an exchange. Bodies are parsed for their key names only when it asks for them. */
export class PathEvidence implements ObservedExchange {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly at: number
  /** Those of an earlier exchange of the path, or those that were read of this one; null: nobody asked for them. */
  readKeys: readonly string[] | null
  readonly #view: ExchangeView

  /**
   * @param path normalised
   * @param keys of an earlier successful exchange of the path; null: none were read
   */
  constructor(view: ExchangeView, method: string, path: string, keys: readonly string[] | null) {
    const { exchange } = view
    this.method = method
    this.path = path
    this.status = exchange.response.status
    this.at = exchange.at
    this.readKeys = keys
    this.#view = view
  }

  get mediaType(): string {
    return this.#view.responseType
  }

  get keys(): readonly string[] {
    this.readKeys ??= keysOf(this.#view)
    return this.readKeys
  }

  get callerNames(): readonly string[] {
    return callerNames(this.#view.exchange)
  }

  get route(): string | undefined {
    return this.#view.exchange.route
  }
}

function keysOf(view: ExchangeView): readonly string[] {
  const names: string[] = []
  if (view.requestBody !== undefined) keyNamesOf(view.requestBody, '>', MAX_KEYS, names)
  if (view.responseBody !== undefined) keyNamesOf(view.responseBody, '<', MAX_KEYS, names)
  const text = names.join(' ')
  const known = keyLists.get(text)
  if (known !== undefined) return known
  if (keyLists.size >= MAX_KEY_LISTS) keyLists.clear()
  keyLists.set(text, names)
  return names
}
