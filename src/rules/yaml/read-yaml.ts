import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { Place, Problem, YamlEntry, YamlNode } from './node.ts'

/** Largest template, in characters. */
const MAX_YAML_LENGTH = 1_048_576
const MAX_DEPTH = 64
const MAX_NODES = 100_000

/** A YAML text as a tree with places, and what is wrong with it. */
interface ReadYaml {
  /** Null when nothing of it can be used. */
  readonly root: YamlNode | null
  readonly problems: readonly Problem[]
}

/** What to do with a key that stands twice in one map: the last value wins, or it is an error. */
type RepeatedKeys = 'last wins' | 'refused'

const START: Place = { line: 1, column: 1, path: '' }

/**
 * Reads a template. The dialect is the core schema of YAML 1.2 with repeated keys allowed unless they are to be refused
 * (the last value wins, at the place of the first); anchors and aliases are refused, as are texts over 1 MiB, 64 levels or 100,000 nodes.
 */
export function readYaml(text: string, repeatedKeys: RepeatedKeys = 'last wins'): ReadYaml {
  if (text.length > MAX_YAML_LENGTH) {
    return refused(`The text is longer than ${MAX_YAML_LENGTH} characters.`)
  }
  const tooDeep = depthProblem(text)
  if (tooDeep !== null) return refused(tooDeep)
  const lines = new LineCounter()
  let document: ReturnType<typeof parseDocument>
  try {
    document = parseDocument(text.replace(/^\uFEFF/, ''), {
      version: '1.2',
      schema: 'core',
      uniqueKeys: false,
      merge: false,
      lineCounter: lines,
      strict: false,
      prettyErrors: false,
      // Anything quieter accepts a second document without a word.
      logLevel: 'error',
    })
  } catch (error) {
    return refused(`The text is not YAML: ${(error as Error).message}`)
  }
  const problems: Problem[] = [...document.errors, ...document.warnings].map((error) => {
    const { line, col } = lines.linePos(error.pos[0])
    return {
      severity: error.name === 'YAMLWarning' ? 'warning' : 'error',
      // The parser recurses, and tells so itself when a text nests too deep for it.
      message: error.message.startsWith('Maximum call stack')
        ? `The text nests deeper than ${MAX_DEPTH} levels.`
        : `The text is not YAML: ${error.message}`,
      place: { line: Math.max(line, 1), column: Math.max(col, 1), path: '' },
      nearest: null,
    }
  })
  if (document.errors.length > 0) return { root: null, problems }
  const reader = new TreeReader(lines, problems, repeatedKeys)
  const root = document.contents === null ? null : reader.node(document.contents as Node, '', 0)
  return { root: problems.some(({ severity }) => severity === 'error') ? null : root, problems }
}

function refused(message: string): ReadYaml {
  return { root: null, problems: [{ severity: 'error', message, place: START, nearest: null }] }
}

/** Flow collections nest without indentation, and the parser recurses: they are counted before it runs. */
function depthProblem(text: string): string | null {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 91 || code === 123) depth++
    else if ((code === 93 || code === 125) && depth > 0) depth--
    else if (code === 10 && !/[[{,]\s*$/.test(text.slice(Math.max(i - 40, 0), i))) depth = 0
    if (depth > MAX_DEPTH * 2) return `The text nests deeper than ${MAX_DEPTH} levels.`
  }
  return null
}

class TreeReader {
  readonly #lines: LineCounter
  readonly #problems: Problem[]
  readonly #repeatedKeys: RepeatedKeys
  #nodes = 0

  constructor(lines: LineCounter, problems: Problem[], repeatedKeys: RepeatedKeys) {
    this.#lines = lines
    this.#problems = problems
    this.#repeatedKeys = repeatedKeys
  }

  node(node: Node | null, path: string, depth: number): YamlNode {
    const place = this.#place(node, path)
    const empty: YamlNode = { kind: 'scalar', value: null, place }
    if (++this.#nodes > MAX_NODES) return this.#refuse(`The text has more than ${MAX_NODES} nodes.`, empty)
    if (depth > MAX_DEPTH) return this.#refuse(`The text nests deeper than ${MAX_DEPTH} levels.`, empty)
    if (node === null) return empty
    if (isAlias(node) || (node as { anchor?: string }).anchor !== undefined)
      return this.#refuse('Anchors and aliases are not allowed: write the value out.', empty)
    if (isMap(node)) return this.#map(node as YAMLMap, place, depth)
    if (isSeq(node)) {
      const items = (node as YAMLSeq).items.map((item, i) =>
        this.node(
          isPair(item) ? null : (item as Node | null),
          path === '' ? String(i) : `${path}.${i}`,
          depth + 1,
        ),
      )
      return { kind: 'list', items, place }
    }
    return isScalar(node) ? { kind: 'scalar', value: scalarValue(node), place } : empty
  }

  #map(node: YAMLMap, place: Place, depth: number): YamlNode {
    const entries: YamlEntry[] = []
    const positions = new Map<string, number>()
    for (const pair of node.items) {
      const keyNode = pair.key as Node | null
      const key = keyOf(keyNode)
      const path = place.path === '' ? key : `${place.path}.${key}`
      const value = this.node(pair.value as Node | null, path, depth + 1)
      const entry = { key, keyPlace: this.#place(keyNode, path), value }
      const known = positions.get(key)
      if (known === undefined) {
        positions.set(key, entries.length)
        entries.push(entry)
        continue
      }
      const first = entries[known]!
      entries[known] = { ...first, value }
      if (this.#repeatedKeys === 'refused')
        this.#refuse(
          `The key ${key} stands here a second time, and in line ${first.keyPlace.line}: write one key with both, or a list.`,
          { ...value, place: entry.keyPlace },
        )
    }
    return { kind: 'map', entries, place }
  }

  #refuse(message: string, node: YamlNode): YamlNode {
    if (this.#problems.length === 0)
      this.#problems.push({ severity: 'error', message, place: node.place, nearest: null })
    return node
  }

  #place(node: Node | null, path: string): Place {
    const offset = node?.range?.[0]
    if (offset === undefined) return { line: 1, column: 1, path }
    const { line, col } = this.#lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1), path }
  }
}

/** Map keys are texts, as they are written; `${name}` is read by YAML as text too. */
function keyOf(node: Node | null): string {
  if (node === null) return ''
  if (isScalar(node)) return node.source ?? String(node.value)
  return String(node)
}

/** Big integers and special numbers are not operands: they stay texts. */
function scalarValue(node: Scalar): string | number | boolean | null {
  const { value } = node
  if (typeof value === 'number' && Number.isFinite(value)) {
    // The core schema reads 0x1f and 0o17 as numbers; the dialect knows decimals only.
    return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(node.source ?? String(value))
      ? value
      : (node.source ?? String(value))
  }
  if (typeof value === 'string' || typeof value === 'boolean') return value
  return value === null || value === undefined ? null : (node.source ?? String(value))
}
