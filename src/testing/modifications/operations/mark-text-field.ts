import { isScalar, type JsonTree, readTree, writeTree } from '../../attempts/json-tree.ts'
import { setQueryParameter } from '../../attempts/query-edits.ts'
import type { RequestDraft } from '../../attempts/request-draft.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

/** Fields whose text is for people only, the most harmless first. */
const FREE_TEXT = [
  /^(?:description|comment|comments|note|notes|bio|about|summary|details|memo|remark|remarks)$/i,
  /^(?:text|content|body|message|title|subject|caption|label)$/i,
  /^(?:name|full_?name|display_?name|first_?name|last_?name|nick_?name|cardholder_?name|city|street|address)$/i,
]
/** A text that other rules of the application may hang on: an address, a number, a date, a code. */
const SPECIAL = /@|:\/\/|^[\d\s.:/+-]*$|^[A-Z0-9_-]+$/

/** `mark_text_field: text` */
const markTextField: ModificationDefinition = {
  name: 'mark_text_field',
  summary:
    'Gives the first field of the body, or else of the query, that holds text for people another text, to be found again in what is stored. A request without such a field stays as it is.',
  arguments: ['single'],
  canFail: false,
  apply(draft, key) {
    const tree = readTree(draft.body.text)
    const changed = tree === undefined ? null : marked(tree, textOf(key))
    if (changed !== null) draft.body = { ...draft.body, text: writeTree(changed) }
    else if (draft.method !== 'GET') markQuery(draft, textOf(key))
    return 'done'
  },
  cases: [
    {
      title: 'marks the most harmless field',
      request:
        'PUT / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"name":"Ann","email":"a@b.test","note":"call first"}',
      argument: 'seen 1',
      becomes:
        'PUT / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"name":"Ann","email":"a@b.test","note":"seen 1"}',
    },
    {
      title: 'looks into an object that wraps the fields',
      request:
        'PUT / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"user":{"title":"Old title"}}',
      argument: 'seen 1',
      becomes:
        'PUT / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"user":{"title":"seen 1"}}',
    },
    {
      title: 'marks the query of a request whose fields are in the query',
      request: 'PUT /?number=7&holder=Ann+Lee&full_name=Ann+Lee HTTP/1.1\nhost: shop.test\n\n',
      argument: 'seen 1',
      becomes: 'PUT /?number=7&holder=Ann+Lee&full_name=seen%201 HTTP/1.1\nhost: shop.test\n\n',
    },
    {
      title: 'does not change codes and numbers',
      request:
        'PUT / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"label":"SKU_7","amount":7,"to":"a@b.test"}',
      argument: 'seen 1',
      becomes:
        'PUT / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"label":"SKU_7","amount":7,"to":"a@b.test"}',
    },
  ],
}

function marked(tree: JsonTree, text: string): JsonTree | null {
  if (!(tree instanceof Map)) return null
  for (const names of FREE_TEXT)
    for (const [key, value] of tree)
      if (names.test(key) && typeof value === 'string' && !SPECIAL.test(value))
        return new Map([...tree].map(([name, old]) => [name, name === key ? text : old]))
  const inner = [...tree].find(([, value]) => !isScalar(value) && value instanceof Map)
  const changed = inner === undefined ? null : marked(inner[1], text)
  return changed === null
    ? null
    : new Map([...tree].map(([name, old]) => [name, name === inner![0] ? changed : old]))
}

function markQuery(draft: RequestDraft, text: string): void {
  const fields = [...new URLSearchParams(draft.query)]
  for (const names of FREE_TEXT) {
    const field = fields.find(([name, value]) => names.test(name) && value !== '' && !SPECIAL.test(value))
    if (field === undefined) continue
    setQueryParameter(draft, field[0], encodeURIComponent(text))
    return
  }
}

export default markTextField
