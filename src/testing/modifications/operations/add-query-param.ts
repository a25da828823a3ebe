import { setQueryParameter } from '../../attempts/query-edits.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf, withClock } from '../values.ts'

/** `add_query_param: {name: value}` */
const addQueryParam: ModificationDefinition = {
  name: 'add_query_param',
  summary: 'Sets a query parameter or adds it at the end; the value is written as it stands.',
  arguments: ['pairs'],
  canFail: false,
  apply(draft, key, value, environment) {
    setQueryParameter(draft, textOf(key), textOf(withClock(value, environment)))
    return 'done'
  },
  cases: [
    {
      title: 'adds a parameter behind odd ones that stay',
      request: 'GET /a?x&y==&z=%7E HTTP/1.1\nhost: shop.test\n\n',
      argument: { user: '7' },
      becomes: 'GET /a?x&y==&z=%7E&user=7 HTTP/1.1\nhost: shop.test\n\n',
    },
  ],
}

export default addQueryParam
