import { jsonOf } from './json-tree.ts'
import { type Leaf, leavesOf } from './leaves.ts'

/** A value of a body that reads otherwise than it is written there. */
export interface DecodedText {
  /** Path of the value; of a value of JSON within a text both paths, joined by ` > `; '' in a body without a tree. */
  readonly path: string
  readonly text: string
}

/** JSON in texts of JSON in texts … */
const MAX_LAYERS = 4
const MAX_TEXTS = 20_000
const QUOTE = 34
const BACKSLASH = 92

/**
 * Values of a body in which something is escaped: a line break of a stack trace, a quotation mark, JSON within a text.
 * Patterns are searched for in them as well as in the body, where such a value reads otherwise. Values that are in the
 * body letter for letter are left out, so that `^` and `$` still mean the ends of the body.
 *
 * @param leaves of the body's tree; null for a body of JSON texts without one, such as lines or a body that was cut
 * @param body the text that patterns are searched for in
 */
export function decodedTexts(leaves: readonly Leaf[] | null, body: string): DecodedText[] {
  if (!body.includes('\\')) return []
  const found: DecodedText[] = []
  if (leaves !== null) collect(leaves, body, '', MAX_LAYERS, found)
  else for (const text of escapedStrings(body)) add({ path: '', text }, MAX_LAYERS, found)
  return found
}

function collect(
  leaves: readonly Leaf[],
  body: string,
  above: string,
  layers: number,
  found: DecodedText[],
): void {
  const escaped = escapedStrings(body)
  for (const { path, value } of leaves) {
    if (typeof value !== 'string' || !escaped.has(value)) continue
    add({ path: above === '' ? path : `${above} > ${path}`, text: value }, layers, found)
  }
}

function add(decoded: DecodedText, layers: number, found: DecodedText[]): void {
  if (found.length >= MAX_TEXTS) return
  found.push(decoded)
  const text = decoded.text.trim()
  const inner = layers > 1 && text.includes('\\') ? jsonOf(text) : null
  if (inner !== null) collect(leavesOf(inner.tree), text, decoded.path, layers - 1, found)
}

/** The strings of JSON in which something is escaped, as they read. */
function escapedStrings(json: string): Set<string> {
  const strings = new Set<string>()
  let from = 0
  for (let at = json.indexOf('\\'); at >= 0 && strings.size < MAX_TEXTS; at = json.indexOf('\\', from)) {
    const start = json.lastIndexOf('"', at)
    const end = endOfString(json, at)
    if (start >= from) {
      const read = stringOf(json.slice(start, end))
      if (read !== null) strings.add(read)
    }
    from = end
  }
  return strings
}

/** The place behind the quotation mark that ends a string of JSON. */
function endOfString(json: string, from: number): number {
  for (let i = from; i < json.length; i++) {
    const unit = json.charCodeAt(i)
    if (unit === BACKSLASH) i++
    else if (unit === QUOTE) return i + 1
  }
  return json.length
}

/** Null for what is not a string of JSON; one that was cut is read as far as it goes. */
function stringOf(literal: string): string | null {
  for (const text of [literal, `${literal.replace(/\\u?[0-9a-fA-F]{0,3}$/, '')}"`]) {
    try {
      return JSON.parse(text) as string
    } catch {
      // cut, or no string at all
    }
  }
  return null
}
