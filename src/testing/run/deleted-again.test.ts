import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS, MessageView } from '../../rules/index.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import type { Trial } from './judge.ts'
import { readStored } from './stored-state.ts'

const RECORDED = 'http://bank.test/token/x6oici7wh3prgx34fxo1'
/** Made for the test. */
const TOKEN = 'http://bank.test/token/8quepuxbi477dam0adus'
type Answer = readonly [status: number, body: string]

function deletion(user: string, url: string, [status, body]: Answer): Exchange {
  const exchange = rawSample(`DELETE ${url} HTTP/1.1\nhost: bank.test\nauthorization: ${user}\n\n`)
  return {
    ...exchange,
    request: { ...exchange.request, target: url },
    response: { ...exchange.response, status, body },
  }
}

/** Deletes what cannot be read; @returns its state, and what was sent after the read. */
async function deleted(
  attack: Answer,
  again: Answer,
  other: Answer,
  url = TOKEN,
): Promise<{ state: string | undefined; sent: string[] }> {
  const sent: string[] = []
  const recorded = deletion('olga', RECORDED, [200, '{"success":true}'])
  const send = ({ method, url: to, headers }: RequestDraft): Promise<unknown> => {
    const user = headers.find(({ name }) => name.toLowerCase() === 'authorization')?.value ?? ''
    if (method !== 'GET') sent.push(`${method} ${to === url ? 'it' : 'nothing'} as ${user}`)
    const answer: Answer = method === 'GET' ? [405, ''] : to === url ? again : other
    const exchange = deletion(user, to, [answer[0], answer[1].replace('ID', to.split('/').at(-1)!)])
    return Promise.resolve({ exchange, responseTimeMs: 1, isTruncated: false })
  }
  const trial = {
    template: { id: 'T', needs: [], execute: { steps: [] } },
    endpoint: { collectionId: 1, method: 'DELETE', url: '/token/STRING' },
    sample: new MessageView(recorded),
    start: draftOf(recorded),
    tools: { lookups: EMPTY_LOOKUPS, send },
  } as unknown as Trial
  const draft = draftOf(deletion('otto', RECORDED, attack))
  return { state: (await readStored(trial, draft, deletion('otto', url, attack)))?.state, sent }
}

const DONE: Answer = [200, '{"success":true}']
const UNKNOWN: Answer = [200, '{"success":false,"error":"No such token"}']

test.each<[string, Answer, Answer, Answer, string]>([
  ['it is as unknown as one that never was', DONE, UNKNOWN, UNKNOWN, 'gone'],
  ['its name is repeated', [204, ''], [404, '{"missing":"ID"}'], [404, '{"missing":"ID"}'], 'gone'],
  ['every deletion is accepted', [204, ''], [204, ''], [204, ''], 'unknown'],
  ['it may be deleted again', DONE, DONE, UNKNOWN, 'unknown'],
  ['the caller is signed out', DONE, [200, '{"success":false,"error":"Sign in"}'], UNKNOWN, 'unknown'],
  ['the caller is refused', [200, '{"success":false}'], UNKNOWN, UNKNOWN, 'unknown'],
  ['the caller has asked too often', DONE, [429, ''], [429, ''], 'unknown'],
  ['one that never was is deleted as well', DONE, UNKNOWN, DONE, 'unknown'],
])('what cannot be read is gone where %s', async (_, attack, again, other, state) => {
  expect((await deleted(attack, again, other)).state).toBe(state)
})

test('the caller repeats its deletion, and the recorded user deletes what never was', async () => {
  const { sent } = await deleted(DONE, UNKNOWN, UNKNOWN)
  expect(sent).toEqual(['DELETE it as otto', 'DELETE nothing as olga'])
})

test('what its owner was recorded deleting is another object if it is there again', async () => {
  expect((await deleted(DONE, UNKNOWN, UNKNOWN, RECORDED)).sent).toEqual([])
})

test.each(['http://bank.test/token/7', 'http://bank.test/token/weekly', 'http://bank.test/token/4711081512'])(
  'a made-up name like %s may be that of another object, which is not deleted',
  async (url) => {
    expect((await deleted(DONE, UNKNOWN, UNKNOWN, url)).sent).toEqual([])
  },
)
