import { readFileSync, statSync } from 'node:fs'
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import { isAddress } from '../read-input.ts'
import type { ScanInput } from './scan-result.ts'

const MAX_BYTES = 4 * 1024 * 1024

/** A line of a file, from 1. */
interface FileLine {
  readonly file: string
  readonly line: number
}

interface DocumentedPath {
  readonly pattern: RegExp
  /** Segments, of which the path with the most is meant: `/{page}` is also the end of `/orders/{id}`. */
  readonly parts: number
  /** Of paths with as many segments the one with the fewest is meant: `/orders/mine` before `/orders/{id}`. */
  readonly parameters: number
  /** Described by another file that it refers to, so its methods are not known here. */
  readonly isElsewhere: boolean
  readonly lines: ReadonlyMap<string, number>
  readonly line: number
}

const documents = new Map<string, readonly DocumentedPath[]>()

/** Where an OpenAPI file among the inputs describes `METHOD /path`; else the first line of the first file; null without files. */
export function locateEndpoint(
  inputs: readonly Pick<ScanInput, 'file' | 'format'>[],
  place: string,
): FileLine | null {
  const files = inputs.filter(({ format }) => format !== 'CRAWL')
  const space = place.indexOf(' ')
  const [method, path] = [place.slice(0, space).toLowerCase(), place.slice(space + 1)]
  for (const { file, format } of files) {
    if (format !== 'OPEN_API') continue
    const found = pathsOf(file)
      .filter(({ pattern, lines, isElsewhere }) => (isElsewhere || lines.has(method)) && pattern.test(path))
      .reduce<DocumentedPath | null>((best, one) => (best === null || isCloser(one, best) ? one : best), null)
    if (found !== null) return { file, line: found.lines.get(method) ?? found.line }
  }
  return files[0] === undefined ? null : { file: files[0].file, line: 1 }
}

function isCloser(one: DocumentedPath, other: DocumentedPath): boolean {
  return one.parts > other.parts || (one.parts === other.parts && one.parameters < other.parameters)
}

function pathsOf(file: string): readonly DocumentedPath[] {
  const known = documents.get(file)
  if (known !== undefined) return known
  if (isAddress(file)) return []
  const paths = statSync(file).size > MAX_BYTES ? [] : readPaths(readFileSync(file, 'utf8'))
  documents.set(file, paths)
  return paths
}

/** JSON is read as YAML, which it is. */
function readPaths(text: string): DocumentedPath[] {
  const lineCounter = new LineCounter()
  const paths = parseDocument(text, { lineCounter }).get('paths')
  if (!isMap(paths)) return []
  const lineOf = (key: unknown): number =>
    isScalar(key) && key.range ? lineCounter.linePos(key.range[0]).line : 1
  return paths.items.flatMap(({ key, value }) => {
    if (!isScalar(key)) return []
    const methods = isMap(value)
      ? value.items.map((item): [string, number] => [String(item.key), lineOf(item.key)])
      : []
    const path = String(key.value)
    const lines = new Map(methods)
    return [
      {
        ...{ pattern: pathPattern(path), parts: path.split('/').length },
        parameters: path.split('{').length - 1,
        ...{ isElsewhere: lines.has('$ref'), lines, line: lineOf(key) },
      },
    ]
  })
}

/** A path of the document may stand below a base path, and its parameters are shown as words such as INTEGER. */
function pathPattern(path: string): RegExp {
  const source = path
    .split(/(\{[^}]*\})/)
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('')
  return new RegExp(`${source}$`)
}
