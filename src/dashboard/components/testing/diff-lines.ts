/** A line of one side: whether the other side has it too. */
export interface DiffLine {
  readonly text: string
  readonly isCommon: boolean
}

/** Longer texts are compared by the sets of their lines: the exact way takes the product of both lengths. */
const mostLines = 800

/** Marks the lines that two texts share, in order (longest common subsequence). */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
): { before: DiffLine[]; after: DiffLine[] } {
  if (before.length > mostLines || after.length > mostLines) return bySets(before, after)
  const inBefore = new Set<number>()
  const inAfter = new Set<number>()
  const lengths = commonLengths(before, after)
  const at = (row: number, column: number) => lengths[row * (after.length + 1) + column] ?? 0
  let [row, column] = [0, 0]
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      inBefore.add(row++)
      inAfter.add(column++)
    } else if (at(row + 1, column) >= at(row, column + 1)) row++
    else column++
  }
  const marked = (lines: readonly string[], common: ReadonlySet<number>) =>
    lines.map((text, index) => ({ text, isCommon: common.has(index) }))
  return { before: marked(before, inBefore), after: marked(after, inAfter) }
}

/** Lengths of the longest common subsequences of all ends of both lists, row by row. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint16Array {
  const width = after.length + 1
  const lengths = new Uint16Array((before.length + 1) * width)
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? (lengths[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(lengths[(row + 1) * width + column] ?? 0, lengths[row * width + column + 1] ?? 0)
    }
  }
  return lengths
}

function bySets(before: readonly string[], after: readonly string[]) {
  const [ofBefore, ofAfter] = [new Set(before), new Set(after)]
  return {
    before: before.map((text) => ({ text, isCommon: ofAfter.has(text) })),
    after: after.map((text) => ({ text, isCommon: ofBefore.has(text) })),
  }
}
