import { removeCookie, removeHeader } from '../../attempts/header-edits.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

/** `delete_header: name` */
const deleteHeader: ModificationDefinition = {
  name: 'delete_header',
  summary: 'Removes a header and the cookie of that name.',
  arguments: ['single'],
  canFail: false,
  apply(draft, key) {
    const inHeader = removeHeader(draft, textOf(key))
    return removeCookie(draft, textOf(key)) || inHeader ? 'done' : 'nothing'
  },
  cases: [
    {
      title: 'removes a header',
      request: 'GET / HTTP/1.1\nhost: shop.test\nX-CSRF-Token: 1\n\n',
      argument: 'x-csrf-token',
      becomes: 'GET / HTTP/1.1\nhost: shop.test\n\n',
    },
    {
      title: 'removes a cookie and keeps the others',
      request: 'GET / HTTP/1.1\nhost: shop.test\ncookie: a=1; csrf=2; b=3\n\n',
      argument: 'csrf',
      becomes: 'GET / HTTP/1.1\nhost: shop.test\ncookie: a=1; b=3\n\n',
    },
    {
      title: 'does not change a request without it',
      request: 'GET / HTTP/1.1\nhost: shop.test\n\n',
      argument: 'x-csrf-token',
      becomes: 'GET / HTTP/1.1\nhost: shop.test\n\n',
    },
  ],
}

export default deleteHeader
