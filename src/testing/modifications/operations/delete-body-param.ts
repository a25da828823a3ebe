import { removeEntry } from '../../attempts/body-edits.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

/** `delete_body_param: key` */
const deleteBodyParam: ModificationDefinition = {
  name: 'delete_body_param',
  summary: 'Removes the first field of that name from the body, whatever it holds.',
  arguments: ['single'],
  canFail: false,
  apply(draft, key) {
    return removeEntry(draft, textOf(key)) ? 'done' : 'nothing'
  },
  cases: [
    {
      title: 'removes a field of an inner object',
      request:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"a":{"Captcha":{"x":1}},"captcha":2}',
      argument: 'captcha',
      becomes: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"a":{},"captcha":2}',
    },
    {
      title: 'removes an element of an XML document',
      request: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: text/xml\n\n<a><b>1</b><c>2</c></a>',
      argument: 'b',
      becomes: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: text/xml\n\n<a><c>2</c></a>',
    },
  ],
}

export default deleteBodyParam
