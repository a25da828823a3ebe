import { setAtPath } from '../../attempts/body-edits.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf, withClock } from '../values.ts'

/** `add_body_param: {path: value}` */
const addBodyParam: ModificationDefinition = {
  name: 'add_body_param',
  summary:
    'Sets a value in the body; a path such as a.b[2].c makes what is missing. A body that is not JSON becomes an object with that key.',
  arguments: ['pairs'],
  canFail: false,
  apply(draft, key, value, environment) {
    return setAtPath(draft, textOf(key), withClock(value, environment)) ? 'done' : 'nothing'
  },
  cases: [
    {
      title: 'makes missing parts of the path',
      request: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"a":1}',
      argument: { 'b.c[1].d': true },
      becomes:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"a":1,"b":{"c":[null,{"d":true}]}}',
    },
    {
      title: 'goes to the first element of a list',
      request: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n[{"a":1},{"a":2}]',
      argument: { b: 5 },
      becomes: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n[{"a":1,"b":5},{"a":2}]',
    },
    {
      title: 'adds a field to a form',
      request:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/x-www-form-urlencoded\n\na=1&b=x%20y',
      argument: { role: 'admin' },
      becomes:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/x-www-form-urlencoded\n\na=1&b=x%20y&role=admin',
    },
  ],
}

export default addBodyParam
