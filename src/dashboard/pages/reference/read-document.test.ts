import { expect, test } from 'vitest'
import { openApiDocument, operations } from '../../../contract/index.ts'
import { readDocument } from './read-document.ts'
import { curlOf, problemOf } from './request-text.ts'

const read = readDocument(JSON.parse(JSON.stringify(openApiDocument({ serverUrl: 'http://127.0.0.1' }))))

test('every operation is in the reference, with an example that is a body', () => {
  expect(read.map(({ name }) => name).sort()).toEqual(Object.keys(operations).sort())
  expect(read.filter(({ requestExample }) => problemOf(requestExample) !== null)).toEqual([])
})

test('fields have type, depth and meaning, also those of named records', () => {
  const update = read.find(({ name }) => name === 'updateOrganisation')!
  expect(update).toMatchObject({ role: 'ADMIN', writes: true })
  expect(update.request.map(({ name, depth }) => [name, depth])).toEqual([
    ['name', 0],
    ['timeZone', 0],
    ['redactsNewCollections', 0],
    ['kept', 0],
    ['kind', 1],
    ['time', 1],
  ])
  expect(update.request[0]).toMatchObject({ type: 'string or null', isRequired: false })
  expect(update.request[4]!.type).toContain('"SAMPLES" | "CALLS"')
  expect(update.refusals.find(({ status }) => status === '422')?.texts.join()).toContain('INVALID_TIME_ZONE')
})

test('a document that is not one gives no operation', () => {
  expect([readDocument(null), readDocument({ paths: { '/api/x': { post: 7 } } })]).toEqual([[], []])
})

test('a body that is not an object is described, and a quote in a body stays in the command', () => {
  expect(problemOf('{"a": 1}')).toBeNull()
  expect(problemOf('[]')).toContain('must be a JSON object')
  expect(problemOf('{')).toContain('Not JSON')
  expect(curlOf('http://host', 'op', `{"a":"it's"}`)).toContain(`--data '{"a":"it'\\''s"}'`)
})
