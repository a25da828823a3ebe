import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS } from '../../rules/index.ts'
import { ATTACKER_ROLE, type RequestDraft } from '../attempts/index.ts'
import { Callers } from '../callers/index.ts'
import { FreshAnswers } from './fresh-answers.ts'
import { GENERATED } from './generated.ts'
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

/**
 * What lists tell of note 61 of olga, which otto changed: `olga` and `otto` are what each is shown of `/notes`.
 *
 * @param options.ofOtto query of the list that otto was recorded asking for; null for none
 */
async function listingAs(
  olga: unknown,
  otto: unknown,
  {
    method = 'PUT',
    query = '',
    status = 200,
    note = NOTE as object,
    isGenerated = false,
    ofOtto = null as string | null,
    narrowed = otto,
  } = {},
): Promise<string> {
  const made = answered('olga', '/notes/61', note)
  const recorded = isGenerated ? { ...made, tags: { [GENERATED]: 'true' } } : made
  const samples = new SampleShelf()
  samples.put(keyOf('/notes/INTEGER'), recorded)
  const lists = [answered('olga', `/notes${query}`, olga)]
  if (ofOtto !== null) lists.push(answered('otto', `/notes${ofOtto}`, narrowed))
  samples.put(keyOf('/notes'), ...lists)
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
  const send = ({ url, query: asked, headers }: RequestDraft): Promise<Exchange> => {
    const isOtto = headers.some(({ value }) => value === tokenOf('otto'))
    const shown = asked !== '' && `?${asked}` === ofOtto ? narrowed : otto
    return Promise.resolve(isOtto ? answered('otto', url, shown, status) : answered('olga', url, olga))
  }
  const endpoint = { ...keyOf('/notes/INTEGER'), method }
  return listingOf({ material, role: ATTACKER_ROLE, endpoint, recorded, answer: recorded }, send)
}

test('a list that shows an object to its owner and leaves it out for the attacker says whose it is', async () => {
  expect(await listingAs([NOTE], [])).toBe('hidden')
  expect(await listingAs([NOTE, OTHER], [OTHER])).toBe('hidden')
  expect(await listingAs({ data: { notes: [NOTE] } }, { data: { notes: [] } })).toBe('hidden')
  expect(await listingAs([NOTE, OTHER], [OTHER], { method: 'DELETE' })).toBe('hidden')
})

test('a read counts where the object was made for the test, or holds what people keep to themselves', async () => {
  expect(await listingAs([NOTE], [], { method: 'GET' })).toBe('none')
  expect(await listingAs([NOTE], [], { method: 'GET', isGenerated: true })).toBe('hidden')
  for (const method of ['POST', 'HEAD']) expect(await listingAs([NOTE], [], { method })).toBe('none')
  const note = { ...NOTE, phone: '+49 228 1' }
  expect(await listingAs([note], [], { method: 'GET', note })).toBe('hidden')
})

test('lists that do not show the object to its owner, or may show it on another page, say nothing', async () => {
  expect(await listingAs([OTHER], [])).toBe('none')
  expect(await listingAs([NOTE], { notes: [OTHER], total: 9 })).toBe('none')
  expect(await listingAs({ notes: [NOTE] }, { notes: [OTHER], total: 9 })).toBe('none')
  expect(await listingAs({ notes: [NOTE] }, { notes: [OTHER], next: '/notes?page=2' })).toBe('none')
  expect(await listingAs([NOTE], [{ text: 'nameless' }])).toBe('none')
  expect(await listingAs({ notes: [NOTE] }, { notes: [], total: 18 })).toBe('none')
  const page = (first: object) => [first, ...[80, 81, 82, 83].map((id) => ({ ...OTHER, id }))]
  expect(await listingAs(page(NOTE), page(OTHER))).toBe('none')
})

test('a list that is refused, is another kind of answer, or is narrowed by its query says nothing', async () => {
  expect(await listingAs([NOTE], [], { status: 403 })).toBe('none')
  expect(await listingAs([NOTE], { message: 'Nothing for you' })).toBe('none')
  expect(await listingAs([NOTE], [], { query: '?owner=olga' })).toBe('none')
  expect(await listingAs([NOTE], [], { query: '?mine=true&limit=20' })).toBe('none')
  expect(await listingAs([NOTE], [], { query: '?page=2' })).toBe('none')
  expect(await listingAs([NOTE], [], { query: '?sort=title' })).toBe('hidden')
})

test('a narrowed list that the attacker was recorded asking for does not stand for the whole one', async () => {
  const narrow = { ofOtto: '?mine=true', narrowed: [] }
  expect(await listingAs([NOTE, OTHER], [NOTE, OTHER], narrow)).not.toBe('hidden')
  expect(await listingAs([NOTE, OTHER], [OTHER], narrow)).toBe('hidden')
})

test('an object that both are shown is shared', async () => {
  expect(await listingAs([NOTE], [NOTE])).toBe('shared')
})
