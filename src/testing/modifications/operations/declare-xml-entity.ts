import { setBody } from '../../attempts/body-edits.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

const NAME = /^[A-Za-z_][\w.-]{0,60}$/

/** `declare_xml_entity: {name: address}`; Vigil's own addition to the language. */
const declareXmlEntity: ModificationDefinition = {
  name: 'declare_xml_entity',
  summary:
    'Declares an external entity in the recorded XML document, and puts a reference to it in place of its first text (XML 1.0 section 4.2.2).',
  arguments: ['pairs'],
  canFail: false,
  apply(draft, key, value) {
    const { recorded } = draft.body
    const name = textOf(key)
    const edited =
      recorded.isBase64 || !NAME.test(name) ? null : withEntity(recorded.text, name, textOf(value ?? ''))
    if (edited === null) return 'nothing'
    setBody(draft, edited)
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
