import type { Static } from 'typebox'
import { integer, model, oneOf, text } from '../schema.ts'

/** HTTP methods as stored; a method outside the list is stored as OTHER. */
export const httpMethods = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PATCH',
  'OTHER',
  'TRACK',
  'CONNECT',
  'WS',
] as const

/** Schema of a stored method. */
export function httpMethod() {
  return oneOf(httpMethods, { description: 'HTTP method; OTHER for any that is not in the list.' })
}

/** What names an endpoint on the wire. */
export const endpointKey = model('EndpointKey', 'What names an endpoint.', {
  method: text({ description: 'HTTP method.' }),
  apiCollectionId: integer({ description: 'The collection that owns the endpoint.' }),
  url: text({ description: 'Absolute URL or path, with template positions such as /users/INTEGER.' }),
})

/** An endpoint key. */
export type EndpointKey = Static<typeof endpointKey>
