import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS, MessageView } from '../../rules/index.ts'
import type { Template } from '../template/index.ts'
import type { Trial } from './judge.ts'
import { ownershipOf } from './ownership.ts'
import type { AttemptRecord } from './pair-result.ts'

function answered(body: unknown): Exchange {
  const exchange = rawSample('GET http://flags.test/flags/new HTTP/1.1\nhost: flags.test\n\n')
  const headers = ['content-type', 'application/json']
  return { ...exchange, response: { ...exchange.response, headers, body: JSON.stringify(body) } }
}

/** What is made of an object that another user got, and that the lists of that user have an entry for. */
async function confirms(method: string, body: unknown): Promise<boolean> {
  const exchange = answered(body)
  const trial = {
    template: {
      needs: [{ kind: 'attacker' }, { kind: 'parameter values' }],
      execute: { steps: [] },
    } as unknown as Template,
    endpoint: { collectionId: 1, method, url: '/flags/STRING' },
    sample: new MessageView(exchange),
    tools: {
      lookups: EMPTY_LOOKUPS,
      listAnswer: () => Promise.resolve(null),
      isPartOfShared: () => Promise.resolve(false),
      isListedFor: () => Promise.resolve(true),
    },
  } as unknown as Trial
  const ownership = await ownershipOf(trial, { exchange } as AttemptRecord)
  expect(ownership?.isListed).toBe(true)
  return ownership?.control === null
}

test('what lists of the attacker have an entry for may be read, unless it holds what people keep to themselves', async () => {
  expect(await confirms('GET', { name: 'new', variants: [{ weight: 50 }] })).toBe(false)
  expect(await confirms('GET', { title: 'new', secret: 'hidden' })).toBe(true)
  expect(await confirms('GET', { title: 'new', secret: '' })).toBe(false)
  expect(await confirms('PUT', { name: 'new', variants: [] })).toBe(true)
})
