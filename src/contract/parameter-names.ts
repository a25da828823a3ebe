/*
 * Names of parameters as people read them. Nothing here imports anything but words, so that a browser can have it.
 */
import { templateWords } from './vocabulary.ts'

/** The singular of an English plural, good enough for names: orders → order, categories → category. */
export function singular(word: string): string {
  if (/ies$/i.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(ss|x|ch|sh)es$/i.test(word)) return word.slice(0, -2)
  return /[^sui]s$/i.test(word) ? word.slice(0, -1) : word
}

/** `orders` → `orderId`, `line-items` → `lineItemId`; no literal before it → `id`. */
export function parameterName(parent: string | undefined): string {
  const words = parent?.match(/[A-Za-z0-9]+/g)
  if (!words) return 'id'
  const last = singular(words.at(-1) ?? '')
  const [first = '', ...others] = [...words.slice(0, -1), last]
  return `${first.toLowerCase()}${others.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')}Id`
}

/**
 * Names of the parameters of a path by segment index, each after the literal before it and unique within the path.
 *
 * @param segments literals as text, parameters as null
 */
export function parameterNames(segments: readonly (string | null)[]): Map<number, string> {
  const names = new Map<number, string>()
  const used = new Map<string, number>()
  let parent: string | undefined
  segments.forEach((segment, at) => {
    if (segment !== null) {
      parent = segment || undefined
      return
    }
    const name = parameterName(parent)
    const times = (used.get(name) ?? 0) + 1
    used.set(name, times)
    names.set(at, times === 1 ? name : `${name}${times}`)
  })
  return names
}

/** A segment that stands for a parameter: its type, and the custom verb or the ending behind it. */
const PARAMETER = new RegExp(`^(${templateWords.join('|')})((?::[A-Za-z]+)?(?:\\.[A-Za-z]{3,4})?)$`)

/** Type and suffix (`:start`, `.json`, or '') of a segment that stands for a parameter; null for others. */
export function parameterSegment(segment: string): { type: string; suffix: string } | null {
  const match = PARAMETER.exec(segment)
  return match === null ? null : { type: match[1]!, suffix: match[2]! }
}

/** Segments of the path of an endpoint's URL, the origin left out; those that stand for a parameter are null. */
export function templateSegments(url: string): (string | null)[] {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
  return path
    .split('/')
    .slice(1)
    .map((segment) => (parameterSegment(segment) === null ? segment : null))
}

/** `user#roles#$#name` → `user.roles[].name`. */
export function parameterPath(param: string): string {
  return param.replaceAll('#$', '[]').replaceAll('#', '.').replace(/^\$/, '[]')
}

/**
 * Name of a parameter for people: `{orderId}` for the segment of a path, `cars;color` for a matrix parameter of one,
 * `Orders(key)` for a key in parentheses, a path of keys for the others.
 */
export function parameterDisplayName(position: string, param: string, url: string): string {
  if (position !== 'PATH') return parameterPath(param)
  const [index = '', inner] = param.split('#', 2)
  const segments = templateSegments(url)
  const name = parameterNames(segments).get(Number(index))
  const segment = name === undefined ? `segment ${Number(index) + 1}` : `{${name}}`
  if (inner === undefined) return segment
  const holder = segments[Number(index)] ?? segment
  const [, set, verb] = /^(.+\()\)(:[A-Za-z]+)?$/.exec(holder) ?? []
  return set === undefined ? `${holder};${inner}` : `${set}${inner})${verb ?? ''}`
}
