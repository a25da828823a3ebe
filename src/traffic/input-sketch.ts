import type { JsonKeyWatcher } from '../http/index.ts'
import { JsonScanner } from '../http/index.ts'

/** The outermost shape of an input: all that recognising its format needs. */
export interface InputSketch {
  readonly shape: 'json' | 'xml' | 'text'
  /** Keys of the outermost JSON object, or of the first element of the outermost array. */
  readonly keys: ReadonlySet<string>
  readonly isArray: boolean
  /** The first 64 Ki characters. */
  readonly head: string
  readonly text: string
}

const HEAD_CHARS = 65_536
/** Formats are recognised by a handful of keys; a hostile object may have millions. */
const MAX_KEYS = 1000

/** Looks at an input once, in time linear in its length, without building anything. */
export function sketchInput(text: string): InputSketch {
  const head = text.slice(0, HEAD_CHARS)
  const first = /\S/.exec(head)?.[0]
  if (first === '<') return { shape: 'xml', keys: new Set(), isArray: false, head, text }
  if (first !== '{' && first !== '[') return { shape: 'text', keys: new Set(), isArray: false, head, text }
  const keys = new Set<string>()
  const isArray = first === '['
  // Inside an array only the first element is looked at; its keys stand for all.
  const start = isArray ? head.indexOf('[') + 1 : 0
  const watcher: JsonKeyWatcher = {
    openObject: () => {},
    key: (raw, depth) => {
      if (depth === 0 && keys.size < MAX_KEYS) keys.add(raw)
    },
  }
  const scanner = new JsonScanner(text, { maxDepth: 10_000, maxValues: 5_000_000 }, start, watcher)
  // A fault does not matter here: the keys in front of it are what there is to judge by.
  scanner.skipValue()
  return { shape: 'json', keys, isArray, head, text }
}
