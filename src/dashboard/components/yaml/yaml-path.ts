import { ITEM, type Step } from './schema.ts'

/** Where the cursor is in a YAML text of blocks. */
interface YamlPlace {
  /** From the top to the mapping or the key. */
  readonly path: readonly Step[]
  /** Key: what is typed is a key of the mapping at the path. Value: it is the value at the path. */
  readonly kind: 'key' | 'value'
  /** Where what is typed begins, in characters from the start of the line. */
  readonly from: number
}

interface Line {
  readonly indent: number
  /** List dashes before the key, each with its column. */
  readonly dashes: readonly number[]
  /** Null on a line without a key. */
  readonly key: string | null
}

const KEY = /^(?:"([^"]*)"|'([^']*)'|([^\s#:'"[\]{}][^#:]*?))\s*:(?:\s|$)/

/** Columns of dashes and the key of a line. */
function readLine(text: string): Line | null {
  let at = text.length - text.trimStart().length
  if (at === text.length || text[at] === '#') return null
  const dashes: number[] = []
  while (text[at] === '-' && (text[at + 1] === ' ' || at + 1 === text.length)) {
    dashes.push(at)
    at++
    while (text[at] === ' ') at++
  }
  const found = KEY.exec(text.slice(at))
  return { indent: at, dashes, key: found === null ? null : (found[1] ?? found[2] ?? found[3] ?? '') }
}

/** The steps that lead to a column of a line, from the lines above it. */
function stepsAbove(lines: readonly string[], before: number, column: number, includesDash: boolean): Step[] {
  const steps: Step[] = []
  let edge = column
  let waitsForOwner = includesDash
  for (let at = before - 1; at >= 0 && edge >= 0; at--) {
    const line = readLine(lines[at] ?? '')
    if (line === null) continue
    // A list may stand at the column of its key.
    const isOwner = line.key !== null && (line.indent < edge || (waitsForOwner && line.indent === edge))
    if (isOwner && line.key !== null) {
      steps.unshift(line.key)
      edge = line.indent
      waitsForOwner = false
    }
    const dash = line.dashes.toReversed().find((column) => column < edge)
    if (dash !== undefined) {
      for (const column of line.dashes.toReversed().filter((one) => one < edge)) {
        steps.unshift(ITEM)
        edge = column
      }
      waitsForOwner = true
    }
  }
  return steps
}

/** Where a column of a line (both from 0) is in a text. */
export function placeAt(text: string, lineNumber: number, column: number): YamlPlace {
  const lines = text.split('\n')
  const whole = lines[lineNumber] ?? ''
  const before = whole.slice(0, column)
  const line = readLine(before) ?? { indent: before.length, dashes: [], key: null }
  const own: Step[] = line.dashes.map(() => ITEM)
  const edge = line.dashes[0] ?? line.indent
  const path = [...stepsAbove(lines, lineNumber, edge, line.dashes.length > 0), ...own]
  if (line.key === null) return { path, kind: 'key', from: line.indent }
  const value = before.slice(line.indent)
  const from = line.indent + value.indexOf(':') + 1
  return {
    path: [...path, line.key],
    kind: 'value',
    from: from + (/^\s*/.exec(before.slice(from))?.[0].length ?? 0),
  }
}

/** The path of the key on a line (from 0) and its columns; null where there is none. */
export function keyOnLine(
  text: string,
  lineNumber: number,
): { path: readonly Step[]; from: number; to: number } | null {
  const whole = text.split('\n')[lineNumber] ?? ''
  const line = readLine(whole)
  if (line?.key === undefined || line.key === null) return null
  const to = line.indent + line.key.length
  return { path: placeAt(text, lineNumber, whole.indexOf(':', to) + 1).path, from: line.indent, to }
}
