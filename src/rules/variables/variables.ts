/** What a variable can hold. */
export type VariableValue = Scalar | readonly Scalar[] | ContextRecords
export type Scalar = string | number | boolean | null

/** A key with a value that the inventory knows of. */
export interface ContextRecord {
  readonly key: string
  readonly value: string
}

/** Records saved from a context; read as `${name.key}` and `${name.value}`. */
interface ContextRecords {
  readonly records: readonly ContextRecord[]
}

/** A leaf of a body as a variable holds it: integers beyond 53 bits as their digits. */
export function scalarOf(value: unknown): Scalar {
  if (typeof value === 'bigint') return String(value)
  return typeof value === 'object' ? null : (value as Scalar)
}

/** True for what a context saved. */
export function isRecords(value: VariableValue | undefined): value is ContextRecords {
  return typeof value === 'object' && value !== null && 'records' in value
}

/** The variables of one template on one endpoint, shared by its selection, its requests and its verdict. */
export class Variables {
  readonly #values: Map<string, VariableValue>
  readonly #captured: Map<string, VariableValue>
  readonly #wordLists: ReadonlyMap<string, readonly string[]>

  /** @param from variables to start with */
  constructor(wordLists: ReadonlyMap<string, readonly string[]> = new Map(), from?: Variables) {
    this.#wordLists = wordLists
    this.#values = new Map(from === undefined ? [] : from.#values)
    this.#captured = new Map(from === undefined ? [] : from.#captured)
  }

  /** The value of a variable; undefined when nothing set it. */
  get(name: string): VariableValue | undefined {
    return this.#values.get(name)
  }

  /** The words of a list; undefined when there is no such list. */
  words(name: string): readonly string[] | undefined {
    return this.#wordLists.get(name)
  }

  /** Saves what a condition extracted; a variable that has a value keeps it. */
  capture(name: string, value: VariableValue): void {
    if (this.#values.has(name)) return
    this.#values.set(name, value)
    this.#captured.set(name, value)
  }

  /** Puts another value in place of the one that a condition saved. */
  recapture(name: string, value: VariableValue): void {
    this.#values.set(name, value)
    this.#captured.set(name, value)
  }

  /** The value that a condition saved; undefined for variables of the engine. */
  captured(name: string): VariableValue | undefined {
    return this.#captured.get(name)
  }

  get hasCaptures(): boolean {
    return this.#captured.size > 0
  }

  /** Sets a variable of the engine. */
  set(name: string, value: VariableValue): void {
    this.#values.set(name, value)
  }

  clone(): Variables {
    return new Variables(this.#wordLists, this)
  }
}
