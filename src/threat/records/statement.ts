/** Collects the parameters of one statement that is put together of parts. */
export class Statement {
  readonly values: unknown[] = []

  /** The place of a value, such as `$3`. */
  put(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }
}

/** Conditions that must all hold; TRUE without any. */
export function allOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'TRUE' : conditions.map((one) => `(${one})`).join(' AND ')
}
