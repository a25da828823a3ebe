import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { draftOf } from '../attempts/index.ts'
import { REQUEST_CHANGES, requestEditor } from './request-changes.ts'

const draft = draftOf(
  rawSample(
    'POST /shop/carts/7?page=1&size=2 HTTP/1.1\nhost: shop.test\nX-Old: a\ncontent-type: application/json\n\n{"a":1,"b":{"c":2}}',
  ),
)

function changed(operatorType: string, change: Record<string, unknown>) {
  const edit = requestEditor([{ operatorType, operationsGroupList: [change as { key: string }] }])
  return edit!(draft)
}

test('every operation of the settings does what it says', () => {
  expect(changed('add_header', { key: 'x-new', value: 'b' }).headers.at(-1)).toEqual({
    name: 'x-new',
    value: 'b',
  })
  expect(changed('MODIFY_HEADER', { key: 'x-old', value: 'b' }).headers[1]).toEqual({
    name: 'X-Old',
    value: 'b',
  })
  expect(changed('MODIFY_HEADER', { key: 'x-none', value: 'b' }).headers).toEqual(draft.headers)
  expect(changed('DELETE_HEADER', { key: 'x-old' }).headers.map(({ name }) => name)).not.toContain('X-Old')
  expect(changed('ADD_BODY_PARAM', { key: 'b.d', value: 'x' }).body.text).toBe('{"a":1,"b":{"c":2,"d":"x"}}')
  expect(changed('MODIFY_BODY_PARAM', { key: 'c', value: 'x' }).body.text).toBe('{"a":1,"b":{"c":"x"}}')
  expect(changed('DELETE_BODY_PARAM', { key: 'b' }).body.text).toBe('{"a":1}')
  expect(changed('ADD_QUERY_PARAM', { key: 'q', value: 'a b' }).query).toBe('page=1&size=2&q=a%20b')
  expect(changed('MODIFY_QUERY_PARAM', { key: 'page', value: '9' }).query).toBe('page=9&size=2')
  expect(changed('DELETE_QUERY_PARAM', { key: 'page' }).query).toBe('size=2')
  expect(changed('ADD_URL_PARAM', { key: '', value: 'v2', position: '1' }).url).toMatch(
    /\/v2\/shop\/carts\/7$/,
  )
  expect(changed('MODIFY_URL_PARAM', { key: '', value: '8' }).url).toMatch(/\/shop\/carts\/8$/)
  expect(changed('DELETE_URL_PARAM', { key: 'carts' }).url).toMatch(/\/shop\/7$/)
  expect(REQUEST_CHANGES).toHaveLength(12)
  expect(draft.query, 'the draft itself stays').toBe('page=1&size=2')
})

test('a change for some URLs does not touch others, and unknown operations change nothing', () => {
  const path = { key: 'x-new', value: 'b', urlsList: ['/shop/carts/7'] }
  expect(changed('ADD_HEADER', path).headers).toHaveLength(draft.headers.length + 1)
  expect(changed('ADD_HEADER', { ...path, urlsList: ['/shop'] }).headers).toHaveLength(draft.headers.length)
  expect(requestEditor([{ operatorType: 'SING', operationsGroupList: [{ key: 'a' }] }])).toBeNull()
  expect(requestEditor(null)).toBeNull()
})
