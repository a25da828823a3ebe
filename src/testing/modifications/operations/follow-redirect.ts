import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

/** `follow_redirect: boolean` */
const followRedirect: ModificationDefinition = {
  name: 'follow_redirect',
  summary: 'Whether redirects are followed in this step; they are, unless this says false.',
  arguments: ['single'],
  canFail: false,
  apply(draft, key) {
    draft.followRedirects = textOf(key).toLowerCase() !== 'false'
    return 'done'
  },
  cases: [
    {
      title: 'changes nothing in the request itself',
      request: 'GET / HTTP/1.1\nhost: shop.test\n\n',
      argument: false,
      becomes: 'GET / HTTP/1.1\nhost: shop.test\n\n',
    },
  ],
}

export default followRedirect
