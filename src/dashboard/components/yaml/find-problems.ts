import { isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml'
import { alternatives, type Schema } from './schema.ts'

/** Something in a text that does not fit its schema; offsets in characters. */
interface TextProblem {
  readonly from: number
  readonly to: number
  readonly message: string
  readonly severity: 'error' | 'warning'
}

const MOST = 100
/** Larger texts are judged by the server only. */
const MAX_LENGTH = 200_000
const MAX_ALIASES = 50

/** Faults of a YAML text and what of it does not fit a schema, in the order of the text. */
export function findProblems(text: string, schema: Schema): TextProblem[] {
  if (text.length > MAX_LENGTH) return []
  const document = parseDocument(text, { maxAliasCount: MAX_ALIASES, logLevel: 'silent' } as object)
  const faults = document.errors.map(({ message, pos: [from, to] }) => ({
    from,
    to: Math.max(to, from + 1),
    message: message.split('\n')[0] ?? message,
    severity: 'error' as const,
  }))
  if (faults.length > 0) return faults
  const problems: TextProblem[] = []
  if (document.contents !== null) check(document.contents as Node, schema, { root: schema, problems })
  return problems.sort((a, b) => a.from - b.from).slice(0, MOST)
}

interface Walk {
  readonly root: Schema
  readonly problems: TextProblem[]
}

function check(node: Node, schema: Schema, walk: Walk): void {
  const options = alternatives(walk.root, schema)
  if (options.length === 0) return
  const fitting = options.filter((option) => fitsKind(node, option))
  if (fitting.length === 0) {
    note(node, expected(options), walk)
    return
  }
  if (isMap(node)) checkMap(node, fitting, walk)
  else if (isSeq(node)) {
    const items = fitting.flatMap((one) => (one.items === undefined ? [] : [one.items]))
    if (items.length > 0) for (const item of node.items) check(item as Node, { anyOf: items } as Schema, walk)
  }
}

function checkMap(map: YAMLMap, options: readonly Schema[], walk: Walk): void {
  const known = options.flatMap(({ properties = {} }) => Object.keys(properties))
  const isClosed = options.every(({ additionalProperties }) => additionalProperties === false)
  const present = new Set<string>()
  for (const pair of map.items as Pair<Node, Node | null>[]) {
    const name = isScalar(pair.key) ? String(pair.key.value) : ''
    present.add(name)
    const inner = options.flatMap((option) => schemaOfKey(option, name))
    if (inner.length > 0) {
      if (pair.value !== null) check(pair.value, { anyOf: inner } as Schema, walk)
    } else if (isClosed) {
      const near = nearest(name, known)
      note(pair.key, `Unknown key ${name}${near === null ? '.' : `; ${near}?`}`, walk, 'warning')
    }
  }
  const [only] = options
  if (options.length !== 1 || only?.required === undefined) return
  const missing = only.required.filter((name) => !present.has(name))
  const first = (map.items[0] as Pair<Node> | undefined)?.key ?? map
  for (const name of missing) note(first, `The key ${name} is required.`, walk)
}

function schemaOfKey(schema: Schema, name: string): Schema[] {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema
  if (Object.hasOwn(properties, name)) return [properties[name] as Schema]
  const byPattern = Object.entries(patternProperties).filter(([pattern]) => new RegExp(pattern).test(name))
  if (byPattern.length > 0) return byPattern.map(([, inner]) => inner)
  return typeof additionalProperties === 'object' ? [additionalProperties] : []
}

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

function fitsKind(node: Node, schema: Schema): boolean {
  const types = schema.type === undefined ? null : [schema.type].flat()
  if (isMap(node)) return types === null ? schema.enum === undefined : types.includes('object')
  if (isSeq(node)) return types === null ? schema.enum === undefined : types.includes('array')
  if (!isScalar(node)) return true // an alias: what it stands for was judged where it is
  const { value } = node
  if (schema.enum !== undefined) return schema.enum.includes(value)
  if (schema.properties !== undefined && types === null) return false
  return types === null || types.some((type) => kinds[type]?.(value) ?? false)
}

function expected(options: readonly Schema[]): string {
  const listed = options.flatMap((one) => one.enum ?? [])
  if (listed.length > 0) return `One of: ${listed.join(', ')}.`
  const types = [...new Set(options.flatMap(({ type }) => type ?? []))]
  const words = types.map((type) =>
    /^[aio]/.test(type) ? `an ${type}` : type === 'null' ? 'nothing' : `a ${type}`,
  )
  return `Expected ${words.join(' or ') || 'something else'}.`
}

function note(
  node: unknown,
  message: string,
  { problems }: Walk,
  severity: 'error' | 'warning' = 'error',
): void {
  const range = (node as Node).range
  if (range) problems.push({ from: range[0], to: Math.max(range[1], range[0] + 1), message, severity })
}

/** The known word that differs least; null where none is near. */
function nearest(word: string, known: readonly string[]): string | null {
  let best: string | null = null
  let least = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const one of known) {
    const apart = distance(word.toLowerCase(), one.toLowerCase())
    if (apart < least) [best, least] = [one, apart]
  }
  return best
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_none, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      )
    row = next
  }
  return row[b.length] ?? 0
}
