import { replaceQueryParameter } from '../../attempts/query-edits.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf, withClock } from '../values.ts'

/** `modify_query_param: {name: value}` */
const modifyQueryParam: ModificationDefinition = {
  name: 'modify_query_param',
  summary: 'Replaces the value of a query parameter of exactly that name; the value is written as it stands.',
  arguments: ['pairs'],
  canFail: false,
  apply(draft, key, value, environment) {
    const text = textOf(withClock(value, environment))
    return replaceQueryParameter(draft, textOf(key), () => text) ? 'done' : 'nothing'
  },
  cases: [
    {
      title: 'writes the value as it stands',
      request: 'GET /a?next=%2Fhome&b=2 HTTP/1.1\nhost: shop.test\n\n',
      argument: { next: 'x%0d%0aSet-Cookie:a' },
      becomes: 'GET /a?next=x%0d%0aSet-Cookie:a&b=2 HTTP/1.1\nhost: shop.test\n\n',
    },
    {
      title: 'does not change another letter case',
      request: 'GET /a?ID=1 HTTP/1.1\nhost: shop.test\n\n',
      argument: { id: 2 },
      becomes: 'GET /a?ID=1 HTTP/1.1\nhost: shop.test\n\n',
    },
  ],
}

export default modifyQueryParam
