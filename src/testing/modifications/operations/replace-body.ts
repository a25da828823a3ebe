import { setBody } from '../../attempts/body-edits.ts'
import type { ModificationDefinition } from '../modification.ts'
import { formArgument, replacedText } from '../regex-replace.ts'
import { textOf } from '../values.ts'

/** `replace_body: text` or `{regex_replace: {regex, replace_with}}` */
const replaceBody: ModificationDefinition = {
  name: 'replace_body',
  summary: 'Puts a text in place of the whole body, or replaces what a pattern finds in it.',
  arguments: ['single', 'forms'],
  forms: { regex_replace: ['regex', 'replace_with'] },
  canFail: false,
  apply(draft, key) {
    const pattern = formArgument(key, 'regex_replace')
    const text = pattern === null ? textOf(key) : replacedText(draft.body.text, pattern)
    if (text === null || text === draft.body.text) return 'nothing'
    setBody(draft, text)
    return 'done'
  },
  cases: [
    {
      title: 'replaces the body',
      request: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"a":1}',
      argument: '{"b":2}',
      becomes: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"b":2}',
    },
    {
      title: 'replaces what a pattern finds',
      request:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"file":"a.jpg","other":"b.jpg"}',
      argument: { regex_replace: { regex: 'jpg', replace_with: 'php' } },
      becomes:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"file":"a.php","other":"b.php"}',
    },
    {
      title: 'encodes an object as the form that the request has',
      request: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/x-www-form-urlencoded\n\na=1',
      argument: '{"a":"1","b":"x y"}',
      becomes:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/x-www-form-urlencoded\n\na=1&b=x+y',
    },
  ],
}

export default replaceBody
