import { removeQueryParameter } from '../../attempts/query-edits.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

/** `delete_query_param: name` */
const deleteQueryParam: ModificationDefinition = {
  name: 'delete_query_param',
  summary: 'Removes a query parameter of exactly that name.',
  arguments: ['single'],
  canFail: false,
  apply(draft, key) {
    return removeQueryParameter(draft, textOf(key)) ? 'done' : 'nothing'
  },
  cases: [
    {
      title: 'removes the parameter and its repeats',
      request: 'GET /a?state=1&b=2&state=3 HTTP/1.1\nhost: shop.test\n\n',
      argument: 'state',
      becomes: 'GET /a?b=2 HTTP/1.1\nhost: shop.test\n\n',
    },
  ],
}

export default deleteQueryParam
