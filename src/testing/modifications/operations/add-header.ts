import { setHeader } from '../../attempts/header-edits.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf, withClock } from '../values.ts'

/** `add_header: {name: value}` */
const addHeader: ModificationDefinition = {
  name: 'add_header',
  summary: 'Sets a header; one of that name, whatever its letter case, takes the value.',
  arguments: ['pairs'],
  canFail: false,
  apply(draft, key, value, environment) {
    setHeader(draft, textOf(key), textOf(withClock(value, environment)))
    return 'done'
  },
  cases: [
    {
      title: 'adds a header',
      request: 'GET /orders HTTP/1.1\nhost: shop.test\n\n',
      argument: { 'X-Forwarded-For': '127.0.0.1' },
      becomes: 'GET /orders HTTP/1.1\nhost: shop.test\nX-Forwarded-For: 127.0.0.1\n\n',
    },
    {
      title: 'replaces one written in another letter case',
      request: 'GET /orders HTTP/1.1\nhost: shop.test\n\n',
      argument: { Host: 'other.test' },
      becomes: 'GET /orders HTTP/1.1\nhost: other.test\n\n',
    },
  ],
}

export default addHeader
