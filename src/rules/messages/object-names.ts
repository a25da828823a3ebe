import { percentDecoded } from '../../kit/index.ts'
import type { MessageView } from './message-view.ts'

/** An identifier that a request carries: of the object it is about, or of one that this is kept in. */
interface ObjectName {
  readonly in: 'path' | 'query' | 'body'
  /** Number of the segment from 1, name of the parameter, or path of the field. */
  readonly name: string
  /** What kind of object it names: the segment before it, the parameter or the field. */
  readonly kind: string
  /** Decoded. */
  readonly value: string
}

const ID_KEY = /(?:^|[_.-])(?:id|uuid|guid|key|ref|slug)$|[a-z](?:Id|ID|Uuid|Guid)$/
/** Parameters that choose a part, an order or a form of what is read. */
const CHOOSES =
  /^(?:_.*|v|version|page.*|per_?page|limit|offset|size|count|skip|top|take|start|end|from|to|since|until|before|after|cursor|sort.*|order.*|q|query|search|filter.*|fields?|include|expand|format|lang|locale|year|month|day|date|time.*|(?:access_?)?token|api_?key)$/i
/** One word with a digit, or a long one. */
const LIKE_ID = /^(?=.*\d|.{16})[\w.~:@+=-]{1,128}$/

/**
 * The identifiers of a request: what differs from the path template, then query parameters and fields of the body that are
 * named like identifiers; of the query also others whose values may be some.
 */
export function objectNamesOf(template: string, view: MessageView): ObjectName[] {
  const parts = segmentsOf(template)
  const segments = segmentsOf(view.url)
  const offset = segments.length - parts.length
  const path = segments.flatMap((segment, at): ObjectName[] =>
    at < offset || segment === parts[at - offset]
      ? []
      : [{ in: 'path', name: String(at + 1), kind: segments[at - 1] ?? '', value: percentDecoded(segment) }],
  )
  const query = view.query.flatMap(({ name, value }): ObjectName[] =>
    value !== '' && !CHOOSES.test(name) && (ID_KEY.test(name) || LIKE_ID.test(value))
      ? [{ in: 'query', name, kind: name, value }]
      : [],
  )
  const body = view.requestBody.leaves.flatMap(({ key, path: name, value }): ObjectName[] =>
    ID_KEY.test(key) && !name.includes('[') && (typeof value === 'string' || typeof value === 'number')
      ? [{ in: 'body', name, kind: key, value: String(value) }]
      : [],
  )
  return [...path, ...query, ...body]
}

function segmentsOf(url: string): string[] {
  const path = url.replace(/[?#].*$/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
  return path.split('/').filter((segment) => segment !== '')
}
