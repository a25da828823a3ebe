import { pathValues } from '../../inventory/index.ts'
import type { MessageView } from '../../rules/index.ts'
import type { LookupEndpoint } from './inventory-lookups.ts'

/** Longer values do not name an object. */
export const MAX_VALUE_LENGTH = 512
const ID_KEY = /(?:^|[_.-])(?:id|ids|uuid|guid|key|ref|number|no)$|[a-z](?:Id|Ids|ID|Uuid|Guid)$/
/** What people are reached by: it names somebody, but no object that a request is about. */
const CONTACT_KEY = /(?:phone|mobile|cell|fax|house|street|building|apartment)(?:[_.-]?(?:number|no))?$/i
/** Keys that encrypt, sign or are pressed: what an object holds, and not its name. */
const MATERIAL_KEY =
  /(?:^|[_.-])(?:public|private|signing|encryption|verification|ssh|prefix|suffix|shortcut|hot)(?:[_.-]?key|Key)$|[a-z](?:Public|Private|Signing|Encryption|Verification|Ssh|Shortcut|Hot)Key$/
/** Headers of requests that do not name an object: of the protocol, of browsers, of tracing. */
const ORDINARY_HEADER =
  /^(?:x-(?:request|correlation|trace|b3|amzn|cloud|forwarded|real|csrf|xsrf|requested|api-key|auth|access|session|vigil).*|x-.*(?:token|secret|signature|nonce|version|time.*))$/

/** A value that a request carried, and the place that tells parameters of the same key apart. */
export interface CarriedValue {
  readonly place: string
  readonly key: string
  readonly value: string
  readonly in: 'path' | 'query' | 'header' | 'body'
}

/** The values of a request that can name an object: parameters of the path, then those named like identifiers. */
export function carriedValues(endpoint: LookupEndpoint, view: MessageView): CarriedValue[] {
  const path = pathValues(endpoint, view.url).map(
    ({ index, name, value }): CarriedValue => ({
      place: `PATH ${index} ${name}`,
      key: name === '' ? String(index) : name,
      value,
      in: 'path',
    }),
  )
  const query = withoutContents(
    view.query.map(
      ({ name, value }): CarriedValue => ({ place: `QUERY ${name}`, key: name, value, in: 'query' }),
    ),
  )
  const headers = view.requestHeaders.flatMap(({ name, values }): CarriedValue[] =>
    name.startsWith('x-') && !ORDINARY_HEADER.test(name)
      ? [{ place: `HEADER ${name}`, key: name, value: values[0] ?? '', in: 'header' }]
      : [],
  )
  const body = withoutContents(
    view.requestBody.leaves.flatMap(({ key, wildPath, value }): CarriedValue[] =>
      typeof value === 'string' || typeof value === 'number'
        ? [{ place: `BODY ${wildPath}`, key, value: String(value), in: 'body' }]
        : [],
    ),
  )
  return [...path, ...query, ...headers, ...body]
    .filter(({ value }) => value !== '' && value.length <= MAX_VALUE_LENGTH)
    .sort((a, b) => rankOf(a) - rankOf(b))
}

/** A phone number alone is looked up by; beside other fields it is one of them. */
function withoutContents(values: readonly CarriedValue[]): readonly CarriedValue[] {
  const named = values.filter(({ key }) => !MATERIAL_KEY.test(key))
  return values.length < 2 ? named : named.filter(({ key }) => !CONTACT_KEY.test(key))
}

function rankOf(carried: CarriedValue): number {
  return carried.in === 'path' ? 0 : isNamedAsId(carried) ? 1 : 2
}

/** Whether the name of a parameter says that it holds an identifier. */
export function isNamedAsId({ key }: CarriedValue): boolean {
  return ID_KEY.test(key)
}

/** Whether a value can be an identifier of any form: one word, and no plain word, amount or date. */
export function looksLikeId(value: string): boolean {
  if (!/^[\w.~:@+/=|-]{1,256}$/.test(value)) return false
  if (/^[+-]?\d{0,6}(?:\.\d+)?$/.test(value) || /^\d{4}-\d\d-\d\d(?:T|$)/.test(value)) return false
  return /[\d_@=-]/.test(value) || value.length >= 16
}
