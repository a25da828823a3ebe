import { replaceLeaves } from '../../attempts/body-edits.ts'
import { isScalar, scalarText, writeTree } from '../../attempts/json-tree.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf, withClock } from '../values.ts'

/** `modify_body_param: {key: value}` */
const modifyBodyParam: ModificationDefinition = {
  name: 'modify_body_param',
  summary:
    'Replaces the value of every field of that name in the body, at any depth and in any letter case. ${self} is its present value.',
  arguments: ['pairs'],
  canFail: false,
  apply(draft, key, value, environment) {
    const fresh = withClock(value, environment)
    const isDone = replaceLeaves(draft, textOf(key), (old) =>
      typeof fresh === 'string' && fresh.includes('${self}')
        ? fresh.replaceAll('${self}', () => (isScalar(old) ? scalarText(old) : writeTree(old)))
        : fresh,
    )
    return isDone ? 'done' : 'nothing'
  },
  cases: [
    {
      title: 'replaces every field of that name',
      request:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"userId":7,"items":[{"userID":8}],"n":12345678901234567890}',
      argument: { userid: 1 },
      becomes:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"items":[{"userid":1}],"n":12345678901234567890,"userid":1}',
    },
    {
      title: 'replaces a list of scalars by a list only',
      request: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"ids":[1,2]}',
      argument: { ids: 'x' },
      becomes: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"ids":[1,2]}',
    },
    {
      title: 'knows the present value',
      request: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"name":"ann"}',
      argument: { name: "${self}' OR 1=1" },
      becomes: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"name":"ann\' OR 1=1"}',
    },
    {
      title: 'puts a text that is an object in as an object',
      request: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"password":"x"}',
      argument: { password: '{"$ne":null}' },
      becomes:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"password":{"$ne":null}}',
    },
    {
      title: 'edits a form and keeps its other fields as recorded',
      request:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/x-www-form-urlencoded\n\na=%7E1&b=2',
      argument: { b: '<x>' },
      becomes:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/x-www-form-urlencoded\n\na=%7E1&b=%3Cx%3E',
    },
    {
      title: 'edits XML in its document',
      request:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/xml\n\n<?xml version="1.0"?><o:order xmlns:o="urn:o"><!-- n --><o:id>7</o:id><o:note/></o:order>',
      argument: { id: '8<' },
      becomes:
        'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/xml\n\n<?xml version="1.0"?><o:order xmlns:o="urn:o"><!-- n --><o:id>8&lt;</o:id><o:note/></o:order>',
    },
    {
      title: 'does not change a body without it',
      request: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{ "a" : 1 }',
      argument: { b: 2 },
      becomes: 'POST / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{ "a" : 1 }',
    },
  ],
}

export default modifyBodyParam
