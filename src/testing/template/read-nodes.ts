import type { YamlMap, YamlNode } from '../../rules/index.ts'
import { itemsOf, plainValue } from '../../rules/index.ts'
import type { Report } from './report.ts'
import type { Literal } from './template.ts'

/** A scalar as text; null for a map, a list or nothing. */
export function scalarOf(node: YamlNode | undefined): string | null {
  return node?.kind === 'scalar' && node.value !== null ? String(node.value) : null
}

/** The text of a scalar; '' when it is not there. An error where a map or list stands. */
export function readText(node: YamlNode | undefined, report: Report): string {
  if (node === undefined || (node.kind === 'scalar' && node.value === null)) return ''
  const text = scalarOf(node)
  if (text === null) report.error('A text is expected here.', node.place)
  return text ?? ''
}

/** Texts of a list of scalars, or of a single one. */
export function readTexts(node: YamlNode | undefined, report: Report): string[] {
  if (node === undefined) return []
  return itemsOf(node)
    .filter((item) => item.kind !== 'scalar' || item.value !== null)
    .map((item) => readText(item, report))
}

/** True or false; the default when it is not there. Text of either word passes. */
export function readFlag<T>(node: YamlNode | undefined, absent: T, report: Report): boolean | T {
  if (node === undefined || (node.kind === 'scalar' && node.value === null)) return absent
  const text = scalarOf(node)?.toLowerCase()
  if (text === 'true') return true
  if (text !== 'false') report.error('true or false is expected here.', node.place)
  return false
}

/** The node as a map; an error and null when it is something else. */
export function readMap(node: YamlNode | undefined, what: string, report: Report): YamlMap | null {
  if (node === undefined) return null
  if (node.kind === 'map') return node
  report.error(`${what} must be a map.`, node.place)
  return null
}

/** An error for each key of a map that is not allowed. */
export function refuseOtherKeys(map: YamlMap, what: string, legal: readonly string[], report: Report): void {
  for (const { key, keyPlace } of map.entries) {
    if (legal.includes(key)) continue
    report.unknownWord(`${what} has no key "${key}".`, key, legal, keyPlace)
  }
}

/** The node as a value of an operation. */
export function literalOf(node: YamlNode): Literal {
  return plainValue(node) as Literal
}
