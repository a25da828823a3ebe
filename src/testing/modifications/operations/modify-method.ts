import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

/** `modify_method: method` */
const modifyMethod: ModificationDefinition = {
  name: 'modify_method',
  summary:
    'Sets the method; any token is sent as written. The attempt counts as changed even by the old method.',
  arguments: ['single'],
  canFail: false,
  apply(draft, key) {
    draft.method = textOf(key).trim()
    draft.isMethodSet = true
    return 'done'
  },
  cases: [
    {
      title: 'sets the method',
      request: 'GET /a HTTP/1.1\nhost: shop.test\n\n',
      argument: 'TRACE',
      becomes: 'TRACE /a HTTP/1.1\nhost: shop.test\n\n',
    },
  ],
}

export default modifyMethod
