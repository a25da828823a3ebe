import { draftHeader } from '../../attempts/header-edits.ts'
import type { AttachedFile } from '../../attempts/request-draft.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

const CARRIES_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** `attach_file: url` or `{field: url}` */
const attachFile: ModificationDefinition = {
  name: 'attach_file',
  summary:
    'Sends a file of the kind that the URL names (nothing is fetched): beside the fields of a multipart body, otherwise alone in a POST.',
  arguments: ['single', 'pairs'],
  canFail: true,
  apply(draft, key, value, environment) {
    const isMultipart = /^\s*multipart\/form-data/i.test(draftHeader(draft, 'content-type') ?? '')
    if (isMultipart && !CARRIES_BODY.has(draft.method))
      return { failure: `a ${draft.method} request carries no body that could hold a file` }
    const found = environment.files.fileFor(textOf(value === undefined ? key : value))
    if (found === null) return { failure: 'the file is named by no URL' }
    const field = value === undefined || !isMultipart ? 'file' : textOf(key)
    const file: AttachedFile = { field, ...found }
    draft.files = isMultipart ? [...draft.files, file] : [file]
    if (!isMultipart) draft.method = 'POST'
    return 'done'
  },
  cases: [
    {
      title: 'adds a file to a multipart body',
      request:
        'POST /up HTTP/1.1\nhost: shop.test\ncontent-type: multipart/form-data; boundary=b\n\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n',
      argument: { photo: 'https://files.test/a.txt' },
      becomes:
        'POST /up HTTP/1.1\nhost: shop.test\ncontent-type: multipart/form-data; boundary=b\n\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b\r\nContent-Disposition: form-data; name="photo"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nvigil test file\n\r\n--b--\r\n',
    },
  ],
}

export default attachFile
