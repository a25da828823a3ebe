import { describe, expect, it } from 'vitest'
import type { CapturedExchange } from '../browser/capture.ts'
import { EntryDocuments } from './entry-documents.ts'

function document(url: string, body: string, status = 200): CapturedExchange {
  const part: Pick<CapturedExchange, 'url' | 'outcome'> & { exchange: unknown } = {
    url,
    outcome: 'answered',
    exchange: { response: { status, body } },
  }
  return part as unknown as CapturedExchange
}

describe('entry documents', () => {
  const shell = '<!doctype html><app-root></app-root>'.padEnd(300)

  it('are alike when their text is the same, wherever the query or fragment differs', () => {
    const documents = new EntryDocuments()
    documents.note(document('http://shop.test/', shell))
    documents.note(document('http://shop.test/unknown?x=1', shell))
    documents.note(document('http://shop.test/profile', shell.replace('app', 'profile')))
    expect(documents.alike('http://shop.test/unknown#/contact')).toEqual(['http://shop.test/'])
    expect(documents.alike('http://shop.test/')).toEqual(['http://shop.test/unknown'])
    expect(documents.alike('http://shop.test/profile')).toEqual([])
  })

  it('are not told from errors and tiny answers', () => {
    const documents = new EntryDocuments()
    for (const path of ['a', 'b']) documents.note(document(`http://shop.test/${path}`, 'not here'))
    for (const path of ['c', 'd']) documents.note(document(`http://shop.test/${path}`, shell, 404))
    expect(documents.alike('http://shop.test/b')).toEqual([])
    expect(documents.alike('http://shop.test/d')).toEqual([])
  })
})
