import { expect, test } from 'vitest'
import { mergePages } from './merge-openapi.ts'

test('pages of a document become one, with every path, tag and schema once', () => {
  const page = (paths: object, tags: object[]) =>
    JSON.stringify({ openapi: '3.1.0', info: { title: 'shop' }, paths, tags, components: { schemas: {} } })
  const whole = JSON.parse(
    mergePages([
      page({ '/a': { get: {} } }, [{ name: 'x' }]),
      page({ '/a': { post: {} }, '/b': { get: {} } }, [{ name: 'x' }, { name: 'y' }]),
    ]),
  )
  expect(whole).toMatchObject({ openapi: '3.1.0', info: { title: 'shop' } })
  expect(whole.paths).toEqual({ '/a': { get: {}, post: {} }, '/b': { get: {} } })
  expect(whole.tags).toEqual([{ name: 'x' }, { name: 'y' }])
})
