import type { JsonTree } from '../json-tree.ts'
import { isScalar, scalarText, writeTree } from '../json-tree.ts'
import type { BodyForm } from './body-form.ts'
import { plainText } from './body-form.ts'

const MAX_PAIRS = 2000

/** `application/x-www-form-urlencoded` (WHATWG URL 5.1): an object of texts; a repeated name holds a list. */
export const formBody: BodyForm = {
  read(body) {
    const tree = new Map<string, JsonTree>()
    for (const { name, value } of pairsOf(body)) {
      const before = tree.get(name)
      if (before === undefined) tree.set(name, value)
      else if (Array.isArray(before)) before.push(value)
      else tree.set(name, [before, value])
    }
    return tree
  },
  write(body, _contentType, edited) {
    const left = new Map(edited)
    const written: string[] = []
    const recorded = pairsOf(body)
    for (const name of new Set(recorded.map((pair) => pair.name))) {
      const mine = recorded.filter((pair) => pair.name === name)
      const now = valuesOf(left.get(name))
      if (now === null || mine.length !== now.length || mine.some((pair, at) => pair.value !== now[at]))
        continue
      left.delete(name)
    }
    for (const pair of recorded) if (edited.has(pair.name) && !left.has(pair.name)) written.push(pair.raw)
    for (const [name, value] of left)
      for (const text of valuesOf(value) ?? []) written.push(`${encoded(name)}=${encoded(text)}`)
    return written.join('&')
  },
}

interface Pair {
  readonly raw: string
  readonly name: string
  readonly value: string
}

function pairsOf(body: string): Pair[] {
  return body
    .split('&', MAX_PAIRS)
    .filter((raw) => raw !== '')
    .map((raw) => {
      const equals = raw.indexOf('=')
      const end = equals < 0 ? raw.length : equals
      return { raw, name: decoded(raw.slice(0, end)), value: decoded(raw.slice(end + 1)) }
    })
}

function valuesOf(value: JsonTree | undefined): string[] | null {
  if (value === undefined) return null
  if (Array.isArray(value)) return value.map((item) => (isScalar(item) ? scalarText(item) : writeTree(item)))
  return [isScalar(value) ? scalarText(value) : writeTree(value)]
}

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(plainText(spaced))
  } catch {
    // A stray percent sign, as hand-written forms have them: taken as it stands.
    return plainText(spaced)
  }
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+')
}
