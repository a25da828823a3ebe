import { replaceLeaves, setAtPath } from '../../attempts/body-edits.ts'
import { draftHeader, setHeader } from '../../attempts/header-edits.ts'
import { readTree } from '../../attempts/json-tree.ts'
import { setQueryParameter } from '../../attempts/query-edits.ts'
import type { RequestDraft } from '../../attempts/request-draft.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

/** `assign_field: {name: value}` */
const assignField: ModificationDefinition = {
  name: 'assign_field',
  summary:
    'Gives a field a value wherever the request can carry it: in the body, or the one object that it wraps, in the query of a request that has one or has no body, and in a header `x-<name>`.',
  arguments: ['pairs'],
  canFail: false,
  apply(draft, key, value) {
    const name = textOf(key)
    const isFound = replaceLeaves(draft, name, () => value ?? null)
    if (!isFound && draft.body.text !== '') setAtPath(draft, pathIn(draft, name), value ?? null)
    if (draft.query !== '' || draft.body.text === '')
      setQueryParameter(draft, encodeURIComponent(name), encodeURIComponent(textOf(value)))
    const header = headerNameOf(name)
    if (draftHeader(draft, header) === undefined && /^[\x20-\x7e]*$/.test(textOf(value)))
      setHeader(draft, header, textOf(value))
    return 'done'
  },
  cases: [
    {
      title: 'adds the field to the body, and to a header',
      request: 'POST /users HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"name":"ann"}',
      argument: { isAdmin: true },
      becomes:
        'POST /users HTTP/1.1\nhost: shop.test\ncontent-type: application/json\nx-is-admin: true\n\n{"name":"ann","isAdmin":true}',
    },
    {
      title: 'adds it to the object that the body wraps',
      request: 'PUT /me HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"user":{"name":"ann"}}',
      argument: { role: 'admin' },
      becomes:
        'PUT /me HTTP/1.1\nhost: shop.test\ncontent-type: application/json\nx-role: admin\n\n{"user":{"name":"ann","role":"admin"}}',
    },
    {
      title: 'replaces a value that is there',
      request:
        'PUT /me HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"name":"ann","role":"guest"}',
      argument: { role: 'admin' },
      becomes:
        'PUT /me HTTP/1.1\nhost: shop.test\ncontent-type: application/json\nx-role: admin\n\n{"name":"ann","role":"admin"}',
    },
    {
      title: 'adds it to the query where that carries the fields',
      request: 'PUT /users/7?email=a%40b.test HTTP/1.1\nhost: shop.test\n\n',
      argument: { is_admin: true },
      becomes: 'PUT /users/7?email=a%40b.test&is_admin=true HTTP/1.1\nhost: shop.test\nx-is-admin: true\n\n',
    },
  ],
}

/** The path of a new field: inside the only object of a body that holds nothing else. */
function pathIn(draft: RequestDraft, name: string): string {
  const tree = readTree(draft.body.text)
  if (!(tree instanceof Map) || tree.size !== 1) return name
  const [[wrapper, inner]] = [...tree] as [[string, unknown]]
  return inner instanceof Map ? `${wrapper}.${name}` : name
}

function headerNameOf(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').replaceAll(/[^A-Za-z0-9]+/g, '-')
  return `x-${words.toLowerCase()}`
}

export default assignField
