import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS, MessageView } from '../../rules/index.ts'
import type { ParentMix } from '../attempts/index.ts'
import { answeredObject } from './answered-object.ts'
import type { Trial } from './judge.ts'
import type { AttemptRecord } from './pair-result.ts'
import { parentProof } from './parent-proof.ts'

const THEIRS = '0d9f1b1e-4c1e-4b8a-9a55-1f0f4a3b7c01'
const OURS = 'c1a2b3c4-d5e6-4f70-8192-a3b4c5d6e7f8'

function answered(project: number, id: string, body: object, sent = ''): Exchange {
  const exchange = rawSample(
    `POST /projects/${project}/items/${id} HTTP/1.1\nhost: work.test\ncontent-type: application/json\n\n${sent}`,
  )
  return {
    ...exchange,
    response: {
      ...exchange.response,
      headers: ['content-type', 'application/json'],
      body: JSON.stringify(body),
    },
  }
}

/** A test whose owner got an item of project 7, and whose attacker has an item of project 9. */
function trialOf(recorded: Exchange, own: Exchange | null, id = THEIRS): Trial {
  const mixes: ParentMix[] = [
    {
      object: { in: 'path', name: '4', kind: 'items', recorded: id, own: OURS },
      parents: [{ in: 'path', name: '2', kind: 'projects', recorded: '7', own: '9' }],
    },
  ]
  return {
    template: { execute: { steps: [{ operations: [{ kind: 'operation', name: 'use_own_parents' }] }] } },
    endpoint: { collectionId: 1, method: 'POST', url: '/projects/INTEGER/items/STRING' },
    sample: new MessageView(recorded),
    tools: {
      lookups: EMPTY_LOOKUPS,
      sampleOf: () => recorded,
      ownAnswer: () => Promise.resolve(own),
      environmentFor: () => ({ ownParents: () => mixes }),
    },
  } as unknown as Trial
}

/** What is said of the answers to the owner, to the attacker about its own item, and about the owner's. */
async function judged(
  bodies: { owner: object; own: object | null; got: object },
  options: { sent?: string; id?: string } = {},
) {
  const { sent = '', id = THEIRS } = options
  const own = bodies.own === null ? null : answered(9, OURS, bodies.own)
  const trial = trialOf(answered(7, id, bodies.owner, sent), own, id)
  const got = answered(9, id, bodies.got, sent)
  const object = await answeredObject(trial, got)
  return object?.is === 'same'
    ? (await parentProof(trial, { exchange: got } as AttemptRecord))?.is
    : object?.is
}

const OWNER = { id: THEIRS, title: 'Merger plan', text: 'Talks begin in May' }
const OWN = { id: OURS, title: 'Lunch', text: 'Soup on Monday' }

test('the same object without a list or a parent is a doubtful finding', async () => {
  expect(await judged({ owner: OWNER, own: OWN, got: OWNER })).toBe('doubtful')
})

test('an identifier of words may be in every parent', async () => {
  const got = { ...OWNER, id: 'merger-plan-2026' }
  expect(await judged({ owner: got, own: OWN, got }, { id: 'merger-plan-2026' })).toBe('shared')
})

test('the parent that an answer names is a proof', async () => {
  const named = (item: object, projectId: number): object => ({ ...item, projectId })
  expect(await judged({ owner: named(OWNER, 7), own: named(OWN, 9), got: named(OWNER, 7) })).toBe('proven')
})

test.each([
  ['links', { link: '/projects/7/items' }, { link: '/projects/9/items' }],
  ['fields about the parent', { project: { name: 'Alpha' } }, { project: { name: 'Gamma' } }],
  ['fields that the own object has as well', { board: 'First' }, { board: 'Second' }],
])('%s that follow the parent do not show another object', async (_, theirs, ours) => {
  const is = await judged({
    owner: { ...OWNER, ...theirs },
    own: { ...OWN, ...ours },
    got: { ...OWNER, ...ours },
  })
  expect(is).toBe('doubtful')
})

test.each([
  ['has another title', { title: 'Shopping' }],
  ['has another identifier', { id: OURS }],
])('an object that %s is another one', async (_, other) => {
  expect(await judged({ owner: OWNER, own: OWN, got: { ...OWNER, ...other } })).toBe('another')
})

test("the attacker's own object is another one", async () => {
  const { id: _, ...owner } = OWNER
  const { id: __, ...own } = OWN
  expect(await judged({ owner, own, got: own })).toBe('another')
})

test.each([
  ['lacks a value of the object', OWN, { id: THEIRS, title: 'Merger plan' }],
  ['has another text', OWN, { ...OWNER, text: 'Withheld' }],
  ['cannot be compared with an own object', null, OWNER],
])('an answer that %s leaves open what it is about', async (_, own, got) => {
  expect(await judged({ owner: OWNER, own, got })).toBe('unclear')
})

test('text that the request sent says nothing of the object', async () => {
  const owner = { note: 'Talks begin in May' }
  const sent = JSON.stringify({ note: 'Talks begin in May' })
  expect(await judged({ owner, own: { note: 'Soup on Monday' }, got: owner })).toBe('doubtful')
  expect(await judged({ owner, own: { note: 'Soup on Monday' }, got: owner }, { sent })).toBe('shared')
})
