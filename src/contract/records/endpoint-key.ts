import type { Static } from 'typebox'
import { integer, model, text } from '../schema.ts'

export const endpointKey = model('EndpointKey', 'What names an endpoint.', {
  method: text({ description: 'HTTP method.' }),
  apiCollectionId: integer({ description: 'The collection that owns the endpoint.' }),
  url: text({ description: 'Absolute URL or path, with template positions such as /users/INTEGER.' }),
})

export type EndpointKey = Static<typeof endpointKey>
