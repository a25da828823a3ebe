import { expect, test } from 'vitest'
import { type CrawlContext, freshCounts } from './crawl-context.ts'
import { Revisits } from './revisits.ts'
import { noteBare } from './work-desk.ts'

function crawl(changes: object | null = null) {
  return { counts: freshCounts(), revisits: new Revisits(), ports: { changes } } as unknown as CrawlContext
}

test('the last change before pages showed nothing is that before the first of them', () => {
  const context = crawl()
  context.revisits.lastWrite = 'PUT /api/settings'
  noteBare({ isBare: true }, context)
  context.revisits.lastWrite = 'POST /api/log'
  noteBare({ isBare: true }, context)
  expect(context.counts).toMatchObject({ blank: 2, lastWrite: 'PUT /api/settings' })
  noteBare({ isBare: false }, context)
  noteBare({ isBare: true }, context)
  expect(context.counts).toMatchObject({ blank: 1, lastWrite: 'POST /api/log' })
})

test('nothing is called a change where none was sent', () => {
  const context = crawl({})
  context.revisits.lastWrite = 'POST /api/search'
  noteBare({ isBare: true }, context)
  expect(context.counts).toMatchObject({ blank: 1, lastWrite: null })
})
