/** A replacement with the groups of a match: `$1` stands for a group, a backslash takes the next character as it is. */
export function filledReplacement(replacement: string, group: (number: number) => string): string {
  return replacement.replace(/\\(.)|\$(\d)/gs, (_, plain: string | undefined, digit: string | undefined) =>
    digit === undefined ? (plain ?? '') : group(Number(digit)),
  )
}
