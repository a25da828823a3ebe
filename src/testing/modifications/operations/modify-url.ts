import { insertSegment, replaceSegment, setUrl } from '../../attempts/url-edits.ts'
import type { Literal } from '../../template/template.ts'
import type { ModificationDefinition } from '../modification.ts'
import { formArgument, replacedText } from '../regex-replace.ts'
import { isMap, textAt, textOf } from '../values.ts'

/** `modify_url: text` or one of `regex_replace`, `token_replace`, `token_insert` */
const modifyUrl: ModificationDefinition = {
  name: 'modify_url',
  summary:
    'Replaces the URL (the recorded query stays behind it), what a pattern finds in it, or a path segment; or inserts a segment.',
  arguments: ['single', 'forms'],
  forms: {
    regex_replace: ['regex', 'replace_with'],
    token_replace: ['location', 'regex', 'replace_with'],
    token_insert: ['location', 'replace_with'],
  },
  canFail: false,
  apply(draft, key) {
    const url = isMap(key) ? editedUrl(draft.url, key) : textOf(key)
    if (url === draft.url) return 'nothing'
    setUrl(draft, url)
    return 'done'
  },
  cases: [
    {
      title: 'takes an absolute URL and keeps the query',
      request: 'GET /a?x=1 HTTP/1.1\nhost: shop.test\n\n',
      argument: 'https://shop.test/.env?y=2',
      becomes: 'GET /.env?y=2&x=1 HTTP/1.1\nhost: shop.test\n\n',
    },
    {
      title: 'takes a path',
      request: 'GET /a/b HTTP/1.1\nhost: shop.test\n\n',
      argument: 'actuator/health',
      becomes: 'GET /actuator/health HTTP/1.1\nhost: shop.test\n\n',
    },
    {
      title: 'replaces what a pattern finds',
      request: 'GET /api/v2/users HTTP/1.1\nhost: shop.test\n\n',
      argument: { regex_replace: { regex: 'v[0-9]+', replace_with: 'v1' } },
      becomes: 'GET /api/v1/users HTTP/1.1\nhost: shop.test\n\n',
    },
    {
      title: 'inserts a segment',
      request: 'GET /api/v1/orders/7 HTTP/1.1\nhost: shop.test\n\n',
      argument: { token_insert: { location: 3, replace_with: 'admin' } },
      becomes: 'GET /api/v1/admin/orders/7 HTTP/1.1\nhost: shop.test\n\n',
    },
    {
      title: 'replaces a segment',
      request: 'GET /api/v1/orders/7 HTTP/1.1\nhost: shop.test\n\n',
      argument: { token_replace: { location: 3, replace_with: 'admin' } },
      becomes: 'GET /api/v1/admin/7 HTTP/1.1\nhost: shop.test\n\n',
    },
    {
      title: 'leaves the URL alone for a location below one',
      request: 'GET /api HTTP/1.1\nhost: shop.test\n\n',
      argument: { token_insert: { location: 0, replace_with: 'admin' } },
      becomes: 'GET /api HTTP/1.1\nhost: shop.test\n\n',
    },
  ],
}

function editedUrl(url: string, argument: Literal): string {
  const insert = formArgument(argument, 'token_insert')
  if (insert !== null)
    return insertSegment(url, Number(textAt(insert, 'location')), textAt(insert, 'replace_with') ?? '')
  const replace = formArgument(argument, 'token_replace') ?? formArgument(argument, 'regex_replace')
  if (replace === null) return url
  const location = textAt(replace, 'location')
  if (location !== undefined)
    return replaceSegment(url, Number(location), textAt(replace, 'replace_with') ?? '')
  return replacedText(url, replace) ?? url
}

export default modifyUrl
