import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { SampleShelf } from './sample-shelf.ts'

test('what else was recorded of a collection goes with the samples of its endpoints', () => {
  const shelf = new SampleShelf()
  const [keys, users] = ['/keys', '/users'].map((url) => ({ collectionId: 1, method: 'POST', url }))
  const [best, older, user] = ['/keys?n=2', '/keys?n=1', '/users'].map((path) =>
    rawSample(`POST ${path} HTTP/1.1\nhost: shop.test\n\n`),
  )
  shelf.put(keys!, best!)
  shelf.putAlsoRecorded(keys!, [older!])
  shelf.put(users!, user!)
  shelf.putAlsoRecorded(users!, [])
  expect(shelf.everyOf(1)).toEqual([best, user])
  expect(shelf.furtherOf(1)).toEqual([older])
  shelf.remove(keys!)
  expect(shelf.furtherOf(1)).toEqual([])
  expect(shelf.furtherOf(2)).toEqual([])
})
