import { expect, test } from 'vitest'
import type { Exchange } from '../../http/index.ts'
import { draftOf } from '../attempts/index.ts'
import { Dependencies } from './dependencies.ts'
import { refreshDraft } from './refresh-draft.ts'

const ORIGIN = 'https://shop.example'

function recorded(method: string, path: string, response: unknown): Exchange {
  return {
    request: { method, target: ORIGIN + path, version: 'HTTP/1.1', headers: [], body: '' },
    response: {
      status: 200,
      reason: '',
      headers: ['content-type', 'application/json'],
      body: JSON.stringify(response),
    },
    at: 1_700_000_000 as Exchange['at'],
    clientIp: '',
    serverIp: '',
    source: 'HAR',
    direction: 1,
    vxlanId: 0,
  }
}

test.each([
  ['/machines/41', '/machines/7'],
  ['/machines/41:start', '/machines/7:start'],
  ['/machines/41.json', '/machines/7.json'],
  ['/odata/Machines(41)', '/odata/Machines(7)'],
  ["/odata/Machines('41')/Parts", "/odata/Machines('7')/Parts"],
  ['/odata/Machines(%2741%27)', '/odata/Machines(%277%27)'],
  ["/odata/Parts(Kind='x',Machine=41):cancel", "/odata/Parts(Kind='x',Machine=7):cancel"],
])('the value in %s comes from an answer, and is replaced by that of a run', (path, fresh) => {
  const made = recorded('POST', '/machines', { id: 41 })
  const consumer = recorded('POST', path, {})
  const links = new Dependencies([made, consumer]).linksOf(consumer)
  expect(links).toEqual([{ producer: made, path: 'id', value: '41' }])
  expect(refreshDraft(draftOf(consumer), new Map([['41', '7']])).url).toBe(ORIGIN + fresh)
})

test('what a custom verb acts on is read by the path before it', () => {
  const reader = recorded('GET', '/machines/41', { id: 41 })
  const stop = recorded('POST', '/machines/41:stop', {})
  const other = recorded('GET', '/machines/4', { id: 4 })
  expect(new Dependencies([other, reader, stop]).readerOf(stop)).toBe(reader)
})
