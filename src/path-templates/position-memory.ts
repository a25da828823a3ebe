/**
 * What the last pass over the tree found, for the next one: after which literals a parameter follows, and which tokens
 * were values elsewhere.
 */
export class PositionMemory {
  readonly #roles = new Map<string, { params: number; literals: number }>()
  readonly #positions = new Map<string, boolean>()
  /** Positions at which a token was a value. */
  readonly #positionsOf = new Map<string, string[]>()
  readonly #folded = new Map<string, ReadonlySet<string>>()

  /** Notes what stood at a position after a literal segment ('' after a parameter). */
  note(position: string, literalName: string, hasParam: boolean, folded: ReadonlySet<string>): void {
    if (folded.size > 0) this.#folded.set(position, folded)
    for (const token of folded) {
      const positions = this.#positionsOf.get(token)
      if (positions === undefined) this.#positionsOf.set(token, [position])
      else positions.push(position)
    }
    if (literalName === '') return
    const role = this.#roles.get(literalName) ?? { params: 0, literals: 0 }
    if (hasParam) role.params++
    else role.literals++
    this.#roles.set(literalName, role)
    this.#positions.set(position, hasParam)
  }

  /** −1 … +2.5: is the segment after this literal a parameter at other positions? 0 when nothing is known. */
  roleOf(position: string, literalName: string): number {
    const role = this.#roles.get(literalName)
    if (!role) return 0
    const own = this.#positions.get(position)
    const params = role.params - (own === true ? 1 : 0)
    const literals = role.literals - (own === false ? 1 : 0)
    const all = params + literals
    if (all === 0) return 0
    return params === 0 ? -Math.min(1, all / 4) : 2.5 * (params / all)
  }

  /** The token was a value at another position. */
  isKnownValue(token: string, isValueHere: boolean): boolean {
    return (this.#positionsOf.get(token)?.length ?? 0) > (isValueHere ? 1 : 0)
  }

  wasFolded(position: string, token: string): boolean {
    return this.#folded.get(position)?.has(token) === true
  }

  /** 0 … 1: how much these tokens and the values of the most similar other position are the same ones. */
  shareOfSameValues(position: string, tokens: readonly string[]): number {
    const common = new Map<string, number>()
    for (const token of tokens)
      for (const other of this.#positionsOf.get(token) ?? [])
        if (other !== position) common.set(other, (common.get(other) ?? 0) + 1)
    let most = 0
    for (const [other, both] of common)
      most = Math.max(most, both / (tokens.length + this.#folded.get(other)!.size - both))
    return most
  }

  /** The same tokens were folded at the same positions. */
  equals(other: PositionMemory): boolean {
    if (this.#folded.size !== other.#folded.size) return false
    for (const [position, tokens] of this.#folded) {
      const others = other.#folded.get(position)
      if (others === undefined || others.size !== tokens.size) return false
      for (const token of tokens) if (!others.has(token)) return false
    }
    return true
  }
}
