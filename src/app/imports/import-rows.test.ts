import { expect, test } from 'vitest'
import { importText } from '../../traffic/index.ts'
import { ImportLedger } from './import-rows.ts'

test('an entry whose host is none is taken with a warning that tells it', () => {
  const text = ['GET https://shop.test/a HTTP/1.1', 'GET https://sh^op.test/b HTTP/1.1']
    .map((line) => `${line}\n\nHTTP/1.1 200 OK\n\n`)
    .join('\n')
  const ledger = new ImportLedger((text) => text)
  for (const item of importText(text).exchanges) ledger.noteExchange(item, { taken: true, endpointId: 1 })
  expect(ledger.inOrder().map(({ outcome, reasons }) => [outcome, ...reasons])).toEqual([
    ['TAKEN'],
    ['TAKEN_WITH_WARNINGS', '"sh^op.test" is not a host: it holds ^; taken without a host'],
  ])
  expect(ledger.taken).toBe(2)
})
