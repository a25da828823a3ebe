/** A piece of an endpoint's URL. */
export type PathPart =
  | { readonly kind: 'text'; readonly text: string }
  /** `segment` is the place in the path, from 0. */
  | { readonly kind: 'parameter'; readonly name: string; readonly type: string; readonly segment: number }

/** An endpoint's URL for display: the origin of absolute URLs apart from the path. */
export interface PathParts {
  readonly origin: string
  readonly parts: readonly PathPart[]
}

/** Words that stand for a parameter when they are a whole segment of a template. */
const typeWords = new Set(['INTEGER', 'FLOAT', 'STRING', 'OBJECT_ID', 'VERSIONED'])

function splitOrigin(url: string): { origin: string; path: string } {
  const at = url.indexOf('://')
  if (at === -1) return { origin: '', path: url }
  const slash = url.indexOf('/', at + 3)
  return slash === -1 ? { origin: url, path: '/' } : { origin: url.slice(0, slash), path: url.slice(slash) }
}

function singular(word: string): string {
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

/** Cuts a template into text and named parameters; a URL that is no template stays one text. */
export function pathParts(url: string, isTemplate: boolean): PathParts {
  const { origin, path } = splitOrigin(url)
  if (!isTemplate) return { origin, parts: [{ kind: 'text', text: path }] }
  const parts: PathPart[] = []
  const used = new Map<string, number>()
  let text = ''
  let parent: string | undefined
  path.split('/').forEach((segment, at) => {
    const separator = at === 0 ? '' : '/'
    if (!typeWords.has(segment)) {
      text += separator + segment
      parent = segment || undefined
      return
    }
    const name = parameterName(parent)
    const times = (used.get(name) ?? 0) + 1
    used.set(name, times)
    parts.push({ kind: 'text', text: text + separator })
    parts.push({
      kind: 'parameter',
      name: times === 1 ? name : `${name}${times}`,
      type: segment,
      segment: at - 1,
    })
    text = ''
  })
  if (text !== '') parts.push({ kind: 'text', text })
  return { origin, parts }
}
