import { DEFAULT_RULES, type TypeRules } from '../../../data-types/index.ts'
import { nowSeconds } from '../../../kit/index.ts'
import type { Store } from '../../../store/index.ts'
import { loadTypeRules } from '../../data-type-records.ts'
import type { Memory } from '../place/index.ts'
import { applyTypeSettings, judgeSamples } from './type-changes.ts'

/** Name under which the store notes which rules its samples were judged by. */
const JUDGED_BY = 'samples-judged-by'

/**
 * What people set, as far as the engine goes by it: data types, and the switches of collections. Other processes may
 * change it, so it is compared with the store again and again.
 */
export class SettingsWatch {
  readonly #store: Store
  readonly #memory: Memory
  #rules = DEFAULT_RULES
  #work: Promise<void> = Promise.resolve()
  #step: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(store: Store, memory: Memory) {
    this.#store = store
    this.#memory = memory
  }

  /** Data type rules in force. */
  get rules(): TypeRules {
    return this.#rules
  }

  /** Reads what is set, and goes on with judging samples where an earlier run was cut off. */
  async begin(): Promise<void> {
    this.#rules = await loadTypeRules(this.#store)
    this.#judgeSamples(DEFAULT_RULES)
  }

  /**
   * Takes over what changed; only between transactions. Later messages go by it when this resolves; retained samples
   * are judged in the background.
   *
   * @param fold brings counts on their way to the tables, before states that hold them are dropped
   */
  async refresh(fold: () => Promise<void>): Promise<void> {
    await this.#memory.forgetChanged()
    const before = this.#rules
    const rules = await loadTypeRules(this.#store)
    if (rules.fingerprint === before.fingerprint) return
    await fold()
    this.#memory.forgetEndpoints()
    this.#rules = rules
    // What is being written by the old rules must not come after what the new ones say.
    await this.#step
    await applyTypeSettings(this.#store, rules, [...new Set([...before.decided, ...rules.decided])])
    this.onApplied()
    this.#judgeSamples(before)
  }

  /** Resolves when no sample waits to be judged. */
  settled(): Promise<void> {
    return this.#work
  }

  /** Ends work in the background at its next step. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#work
  }

  /** Hears that endpoints may show other data types than before. */
  onApplied: () => void = () => {}

  /** Hears of trouble in background work. */
  onTrouble: (error: unknown) => void = () => {}

  #judgeSamples(before: TypeRules): void {
    const rules = this.#rules
    this.#work = this.#work
      .then(() => this.#judgeAll(rules, before))
      .catch((error: unknown) => this.onTrouble(error))
  }

  async #judgeAll(rules: TypeRules, before: TypeRules): Promise<void> {
    if ((await this.#judgedBy()) === rules.fingerprint) return
    const names = [...new Set([...before.decided, ...rules.decided])]
    for (let after: number | null = 0; after !== null; ) {
      if (this.#isClosed || this.#rules !== rules) return
      after = await this.#inStep(judgeSamples(this.#store, rules, after))
    }
    if (this.#rules !== rules) return
    // Another process may have written by the old settings until it heard of the new ones.
    await this.#inStep(applyTypeSettings(this.#store, rules, names))
    this.onApplied()
    await this.#store.pool.query(
      `INSERT INTO settings (name, value, updated_at) VALUES ($1, $2::jsonb, $3)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
      [JUDGED_BY, JSON.stringify(rules.fingerprint), nowSeconds()],
    )
  }

  /** Notes what is being written, for those who change the rules meanwhile. */
  #inStep<T>(writing: Promise<T>): Promise<T> {
    this.#step = writing.catch(() => {}) // whoever wrote hears of it
    return writing
  }

  async #judgedBy(): Promise<string> {
    const { rows } = await this.#store.pool.query<{ value: string }>(
      'SELECT value FROM settings WHERE name = $1',
      [JUDGED_BY],
    )
    return rows[0]?.value ?? DEFAULT_RULES.fingerprint
  }
}
