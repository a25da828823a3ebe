import type { Static } from 'typebox'
import { integer, model, oneOf, text } from '../schema.ts'
import { httpMethods } from '../vocabulary.ts'

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
