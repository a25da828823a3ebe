import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS } from '../../rules/index.ts'
import { ATTACKER_ROLE, type RequestDraft } from '../attempts/index.ts'
import { Callers } from '../callers/index.ts'
import { FreshAnswers } from './fresh-answers.ts'
import { listingOf } from './listing.ts'
import type { EndpointKey } from './pair-result.ts'
import type { RunMaterial } from './run-tools.ts'
import { SampleShelf } from './sample-shelf.ts'

const keyOf = (url: string): EndpointKey => ({ collectionId: 1, method: 'GET', url })
const NOTE = { id: 61, owner: 1, title: 'Groceries', text: 'Buy bread' }
const OTHER = { id: 71, owner: 2, title: 'Chores', text: 'Clean' }

function tokenOf(name: string): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `Bearer ${part({ alg: 'HS256' })}.${part({ sub: name })}.c2lnbmF0dXJl`
}

function answered(name: string, target: string, body: unknown, status = 200): Exchange {
  const exchange = rawSample(`GET ${target} HTTP/1.1\nhost: work.test\nauthorization: ${tokenOf(name)}\n\n`)
  const headers = ['content-type', 'application/json']
  return { ...exchange, response: { ...exchange.response, status, headers, body: JSON.stringify(body) } }
}

/** What lists tell of note 61 of olga, which otto got: `olga` and `otto` are what each is shown of `/notes`. */
async function listingAs(
  olga: unknown,
  otto: unknown,
  { method = 'GET', query = '', status = 200 } = {},
): Promise<string> {
  const recorded = answered('olga', '/notes/61', NOTE)
  const samples = new SampleShelf()
  samples.put(keyOf('/notes/INTEGER'), recorded)
  samples.put(keyOf('/notes'), answered('olga', `/notes${query}`, olga))
  const callers = new Callers(() => ['authorization'])
  for (const one of samples.everyOf(1)) callers.learn(one)
  const parameters = [{ where: 'HEADER' as const, key: 'authorization', value: tokenOf('otto') }]
  const material = {
    samples,
    callers,
    credentialsFor: () => ({ parametersOf: () => parameters, authHeaderNames: ['authorization'] }),
    freshAnswers: new FreshAnswers(),
    lookups: EMPTY_LOOKUPS,
  } as unknown as RunMaterial
  const send = ({ url, headers }: RequestDraft): Promise<Exchange> => {
    const isOtto = headers.some(({ value }) => value === tokenOf('otto'))
    return Promise.resolve(isOtto ? answered('otto', url, otto, status) : answered('olga', url, olga))
  }
  const endpoint = { ...keyOf('/notes/INTEGER'), method }
  return listingOf({ material, role: ATTACKER_ROLE, endpoint, recorded, answer: recorded }, send)
}

test('a list that shows an object to its owner and leaves it out for the attacker says whose it is', async () => {
  expect(await listingAs([NOTE], [])).toBe('hidden')
  expect(await listingAs([NOTE, OTHER], [OTHER])).toBe('hidden')
  expect(await listingAs({ data: { notes: [NOTE] } }, { data: { notes: [] } })).toBe('hidden')
  expect(await listingAs([NOTE], [OTHER], { method: 'PUT' })).toBe('hidden')
})

test('lists that do not show the object to its owner, or may show it on another page, say nothing', async () => {
  expect(await listingAs([OTHER], [])).toBe('none')
  expect(await listingAs([NOTE], { notes: [OTHER], total: 9 })).toBe('none')
  expect(await listingAs({ notes: [NOTE] }, { notes: [OTHER], total: 9 })).toBe('none')
  expect(await listingAs({ notes: [NOTE] }, { notes: [OTHER], next: '/notes?page=2' })).toBe('none')
  expect(await listingAs([NOTE], [{ text: 'nameless' }])).toBe('none')
})

test('a list that is refused, is another kind of answer, or is narrowed by its query says nothing', async () => {
  expect(await listingAs([NOTE], [], { status: 403 })).toBe('none')
  expect(await listingAs([NOTE], { message: 'Nothing for you' })).toBe('none')
  expect(await listingAs([NOTE], [], { query: '?owner=olga' })).toBe('none')
  expect(await listingAs([NOTE], [], { query: '?mine=true&limit=20' })).toBe('none')
  expect(await listingAs([NOTE], [], { query: '?limit=20' })).toBe('hidden')
})

test('an object that both are shown is shared', async () => {
  expect(await listingAs([NOTE], [NOTE])).toBe('shared')
})
