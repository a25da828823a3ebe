import { type Edge, PatternFault, type Syntax, type UnitTest } from './syntax.ts'

/** One step of a compiled pattern; numbers are positions in the program. */
export type Step =
  | { readonly kind: 'unit'; readonly test: UnitTest }
  /** The first branch is preferred. */
  | { readonly kind: 'split'; first: number; second: number }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'look'; readonly look: Look; readonly slot: number }
  /** Remembers the place as one end of a group. */
  | { readonly kind: 'mark'; readonly slot: number }
  | { readonly kind: 'done' }

/** A look-around: its own program, read towards the place that asks. */
export interface Look {
  readonly program: Program
  readonly isBehind: boolean
  readonly isNegative: boolean
}

/** A pattern as steps. Read backwards, sequences are turned around. */
export interface Program {
  readonly steps: readonly Step[]
  readonly looks: readonly Look[]
}

const MAX_STEPS = 4_000

/**
 * Compiles a syntax tree.
 *
 * @param isBackwards for programs that run from right to left
 * @throws PatternFault when counted repetitions make it too large
 */
export function compileProgram(syntax: Syntax, isBackwards: boolean): Program {
  const writer = new ProgramWriter(isBackwards)
  writer.write(syntax)
  writer.add({ kind: 'done' })
  return { steps: writer.steps, looks: writer.looks }
}

class ProgramWriter {
  readonly steps: Step[] = []
  readonly looks: Look[] = []
  readonly #isBackwards: boolean

  constructor(isBackwards: boolean) {
    this.#isBackwards = isBackwards
  }

  add<S extends Step>(step: S): S {
    if (this.steps.length >= MAX_STEPS) throw new PatternFault('its repetitions make it too large')
    this.steps.push(step)
    return step
  }

  write(syntax: Syntax): void {
    switch (syntax.kind) {
      case 'unit':
      case 'edge':
        this.add(syntax)
        break
      case 'sequence':
        for (const item of this.#isBackwards ? syntax.items.toReversed() : syntax.items) this.write(item)
        break
      case 'choice':
        this.#choice(syntax.options)
        break
      case 'repeat':
        this.#repeat(syntax)
        break
      case 'group':
        this.add({ kind: 'mark', slot: syntax.index * 2 })
        this.write(syntax.item)
        this.add({ kind: 'mark', slot: syntax.index * 2 + 1 })
        break
      case 'look': {
        const { item, isBehind, isNegative } = syntax
        // What lies ahead is found by reading the text backwards, and the other way round.
        const look = { program: compileProgram(item, !isBehind), isBehind, isNegative }
        this.add({ kind: 'look', look, slot: this.looks.push(look) - 1 })
      }
    }
  }

  #choice(options: readonly Syntax[]): void {
    const ends: { to: number }[] = []
    options.forEach((option, i) => {
      const isLast = i === options.length - 1
      const split = isLast ? null : this.add({ kind: 'split', first: this.steps.length + 1, second: 0 })
      this.write(option)
      if (split === null) return
      ends.push(this.add({ kind: 'jump', to: 0 }))
      split.second = this.steps.length
    })
    for (const end of ends) end.to = this.steps.length
  }

  #repeat({ item, least, most, isLazy }: Syntax & { kind: 'repeat' }): void {
    for (let i = 0; i < least; i++) this.write(item)
    if (most === Number.POSITIVE_INFINITY) {
      const start = this.steps.length
      const split = this.#fork(isLazy)
      this.write(item)
      this.add({ kind: 'jump', to: start })
      split.leave(this.steps.length)
      return
    }
    const splits = Array.from({ length: most - least }, () => {
      const split = this.#fork(isLazy)
      this.write(item)
      return split
    })
    for (const split of splits) split.leave(this.steps.length)
  }

  /** A choice between the next step and leaving. */
  #fork(isLazy: boolean): { leave(to: number): void } {
    const next = this.steps.length + 1
    const split = this.add({ kind: 'split', first: next, second: next })
    return {
      leave: (to) => {
        if (isLazy) split.first = to
        else split.second = to
      },
    }
  }
}
