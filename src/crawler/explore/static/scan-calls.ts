import { splitQuery } from '../named-query.ts'
import { looksLikeBarePath, looksLikeTarget, MAX_FINDINGS, type ScriptEndpoint } from './found-in-text.ts'

/** Characters before a call in which the variable of its address is set, and before a method in which its call begins. */
const DECLARED_WITHIN = 2_500
/** The same of calls that maps and sets have as well. */
const SURELY_WITHIN = 300
const CALLED_WITHIN = 500
/** Characters before a call in which the fields of its class are set. */
const CLASS_WITHIN = 30_000
/** Longest address, and parts that it is put together from. */
const MOST_LETTERS = 400
const MOST_PARTS = 20

const METHODS: Readonly<Record<string, string>> = {
  get: 'GET',
  head: 'HEAD',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  del: 'DELETE',
}

/** Text of an expression, `{}` for parts that are not known, with the place after it. */
interface Read {
  readonly text: string
  readonly end: number
}

/**
 * Reads calls that send requests, by patterns, in scripts of any length: `client.post('/a', …)`, and calls of whatever a
 * bundle has made of its helper, `t(path, { method: 'PUT', … })`, where the address may be in a variable before them.
 * Entries of tables count as well: `{ path: '/a/:id', method: 'delete' }`, `'POST:/a'`.
 */
export function scanCalls(text: string): ScriptEndpoint[] {
  const found = new Map<string, ScriptEndpoint>()
  const take = (method: string, address: Read | null): void => {
    // An unknown part and another one are the base of a resource and the id of an entry: what it is called is not known.
    if (address === null || found.size >= MAX_FINDINGS || /^(?:\{\}){2}/.test(address.text)) return
    const url = templateOf(address.text)
    if (!looksLikeTarget(url) && !looksLikeBarePath(url)) return
    const bodyKeys = bodyKeysAfter(text, address.end)
    const key = `${method} ${url}`
    if (!found.has(key) || bodyKeys !== null) found.set(key, { method, url, bodyKeys, isCall: true })
  }
  for (const match of text.matchAll(/\.(get|head|post|put|patch|delete|del)\(\s{0,5}(?=["'`\w$])/g)) {
    if (found.size >= MAX_FINDINGS) break
    const within = /^p/.test(match[1]!) ? DECLARED_WITHIN : SURELY_WITHIN
    take(METHODS[match[1]!]!, addressAt(text, match.index + match[0].length, within))
  }
  for (const match of text.matchAll(/\bmethod\s{0,2}:\s{0,2}["'`](get|head|post|put|patch|delete)["'`]/gi)) {
    if (found.size >= MAX_FINDINGS) break
    take(match[1]!.toUpperCase(), addressBeside(text, match.index))
  }
  for (const match of text.matchAll(/["'`](GET|POST|PUT|PATCH|DELETE):(\/[^"'`\s\\]{1,300})["'`]/g)) {
    if (found.size >= MAX_FINDINGS) break
    take(match[1]!, { text: match[2]!, end: match.index + match[0].length })
  }
  return [...found.values()]
}

/** A path with `{}` for its parameters, however they are written, and its query where that has plain names. */
function templateOf(address: string): string {
  const { path, query } = splitQuery(address)
  const template = path
    .replace(/^(?:\{\})+(?=\/)/, '')
    .replace(/(?<=\/)(?::[A-Za-z_]\w*\??|\{[\w-]+\})/g, '{}')
    .replace(/(?:\{\}){2,}/g, '{}')
  return /^[\w.~-]+=[\w={}&.,:%+~-]*$/.test(query) ? `${template}?${query}` : template
}

/** Address of a call whose options have their method at a place: its first argument, or another option. */
function addressBeside(text: string, at: number): Read | null {
  const from = Math.max(0, at - CALLED_WITHIN)
  const before = text.slice(from, at)
  const options = /\{[^{}]{0,200}$/.exec(before)
  if (options === null) return null
  const open = from + options.index
  const named = /\b(?:url|path|uri|endpoint)\s{0,2}:\s{0,2}(?=["'`\w$])/.exec(text.slice(open, open + 300))
  if (named !== null && !text.slice(open, open + named.index).includes('}'))
    return addressAt(text, open + named.index + named[0].length)
  const head = text.slice(from, open)
  // The last argument that begins at a bracket and ends just before the options.
  for (const match of [...head.matchAll(/\(\s{0,5}(?=["'`\w$])/g)].reverse()) {
    const start = from + match.index + match[0].length
    const address = addressAt(text, start)
    if (address !== null && /^\s*,\s*$/.test(text.slice(endOf(text, start), open))) return address
  }
  return null
}

/** Text of an argument: written in place, or that of the variable that was set last before it. */
function addressAt(text: string, at: number, within = DECLARED_WITHIN): Read | null {
  const name = /^[A-Za-z_$][\w$]{0,40}(?=\s{0,5}[,)}])/.exec(text.slice(at, at + 50))?.[0]
  if (name === undefined) return textAt(text, at)
  const value = setBefore(text, name, { at, within })
  return value === null ? null : { text: value, end: at + name.length }
}

/** The text that a variable was set to last before a place; null where it was set to something else. `isInner`: for a variable within such a text. */
function setBefore(
  text: string,
  name: string,
  {
    at,
    within,
    isInner = false,
  }: { readonly at: number; readonly within: number; readonly isInner?: boolean },
): string | null {
  const from = Math.max(0, at - within)
  const sets = new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}\\s{0,2}=(?![=>])\\s{0,2}`, 'g')
  const last = [...text.slice(from, at).matchAll(sets)].at(-1)
  return last === undefined ? null : (textAt(text, from + last.index + last[0].length, isInner)?.text ?? null)
}

/** Where an argument ends: after a variable, or after what is written in place. */
function endOf(text: string, at: number): number {
  const name = /^[A-Za-z_$][\w$]{0,40}(?=\s{0,5},)/.exec(text.slice(at, at + 50))?.[0]
  return name === undefined ? (textAt(text, at)?.end ?? at) : at + name.length
}

/** Text of a sum, a template or joined parts; null without any text in it. */
function textAt(source: string, at: number, isInner = false): Read | null {
  let text = ''
  let isText = false
  let end = at
  let isJoined = false
  for (let part = 0; part < MOST_PARTS; part++) {
    const piece = pieceAt(source, end)
    if (piece === null) return null
    text += piece.text
    isText ||= piece.text !== '{}'
    end = piece.end
    if (isJoined && source[end] === ')') {
      isJoined = false
      end++
    }
    const joins = (isJoined ? /^\s{0,2},\s{0,2}/ : /^(?:\.concat\(|\s{0,2}\+\s{0,2})/).exec(
      source.slice(end, end + 10),
    )
    if (joins === null) break
    isJoined ||= joins[0] === '.concat('
    end += joins[0].length
  }
  const base = isInner ? null : baseAt(source, at)
  if ((!isText && base === null) || text.length > MOST_LETTERS) return null
  return { text: base === null ? text : base + text.slice('{}'.length), end }
}

/** What an address begins with is often the variable, or the field, that holds the base of a resource: its text. */
function baseAt(source: string, at: number): string | null {
  const first =
    /^(?:""\.concat\(|`\$\{)?(this\.)?([A-Za-z_$][\w$]{0,40})(?=\}|\s{0,2}\+|\.concat\(|\s{0,2}[,)])/.exec(
      source.slice(at, at + 70),
    )
  if (first === null) return null
  const [, own, name = ''] = first
  return own === undefined
    ? setBefore(source, name, { at, within: DECLARED_WITHIN, isInner: true })
    : fieldBefore(source, name, at)
}

/** Text of a field of a class: classes set them before what uses them. */
function fieldBefore(source: string, name: string, at: number): string | null {
  const from = Math.max(0, at - CLASS_WITHIN)
  const before = source.slice(from, at)
  let place = before.lastIndexOf(`${name}=`)
  for (let time = 0; time < MOST_PARTS && place > 0; time++) {
    const value = /[\s;,{}.(]/.test(before[place - 1]!)
      ? textAt(source, from + place + name.length + 1, true)
      : null
    if (value !== null) return value.text
    place = before.lastIndexOf(`${name}=`, place - 1)
  }
  return null
}

/** One part: a text, a template, or anything else, which is `{}`. */
function pieceAt(source: string, at: number): Read | null {
  const quote = source[at]
  if (quote === '"' || quote === "'") {
    const end = source.indexOf(quote, at + 1)
    return end < 0 || end - at > MOST_LETTERS ? null : { text: source.slice(at + 1, end), end: end + 1 }
  }
  if (quote === '`') return templateAt(source, at + 1)
  const other = /^[\w$]+(?:\??\.[\w$]+|\([^()"'`]{0,120}\)|\[[^[\]]{0,60}\])*/.exec(
    source.slice(at, at + 300),
  )
  return other === null ? null : { text: '{}', end: at + other[0].length }
}

function templateAt(source: string, from: number): Read | null {
  let text = ''
  for (let at = from; at < from + MOST_LETTERS && at < source.length; at++) {
    if (source[at] === '`') return { text, end: at + 1 }
    if (source[at] !== '$' || source[at + 1] !== '{') {
      text += source[at]
      continue
    }
    let depth = 0
    for (at++; at < from + MOST_LETTERS; at++) {
      if (source[at] === '{') depth++
      else if (source[at] === '}' && --depth === 0) break
    }
    text += '{}'
  }
  return null
}

/** Names in a body that is written in place after an address; null without. */
function bodyKeysAfter(text: string, at: number): string[] | null {
  const rest = text.slice(at, at + 400)
  const body =
    /^[^;]{0,120}?JSON\.stringify\(\{([^{}]{0,300})\}/.exec(rest)?.[1] ??
    /^\s*,\s*\{(?![^{}]{0,200}\bmethod\b)([^{}]{0,300})\}/.exec(rest)?.[1]
  const keys = (body ?? '')
    .split(',')
    .map((part) => /^\s*["']?([A-Za-z_][\w-]{0,60})["']?\s*(?::|$)/.exec(part)?.[1] ?? '')
    .filter((key) => key !== '')
  return keys.length > 0 ? keys.slice(0, 40) : null
}
