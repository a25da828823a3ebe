import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { Failure } from '../../kit/index.ts'
import { EMPTY_LOOKUPS, type MessageView } from '../../rules/index.ts'
import { Callers } from '../callers/index.ts'
import { parseTemplate } from '../template/index.ts'
import { DefaultPages } from './default-pages.ts'
import { executePairs } from './execute-pairs.ts'
import { FreshAnswers } from './fresh-answers.ts'
import type { PairResult } from './pair-result.ts'
import { type RunMaterial, runTools } from './run-tools.ts'
import { SampleShelf } from './sample-shelf.ts'

const ENDPOINT = { collectionId: 1, method: 'GET', url: 'http://work.test/notes/INTEGER' }
const TEST = 'OBJECTS'
const TEXT = `
id: ${TEST}
info:
  name: Objects
  description: A user can read an object of another user.
  details: It replaces the credentials.
  impact: Any user can read every object.
  category: { name: BOLA, shortName: BOLA, displayName: BOLA }
  subCategory: ${TEST}
  severity: HIGH
api_selection_filters:
  private_variable_context: { gt: 0 }
execute:
  type: single
  requests:
    - req:
        - replace_auth_header: true
validate:
  response_code: { gte: 200, lt: 300 }
`

function noteOf(name: string, id: number): Exchange {
  const exchange = rawSample(`GET http://work.test/notes/${id} HTTP/1.1\nauthorization: ${name}-token\n\n`)
  return { ...exchange, response: { ...exchange.response, body: JSON.stringify({ id, of: name }) } }
}

/**
 * Notes of several people that bob attacks; nothing is answered about those of `slow`, or nothing until one request was
 * broken off, and attacks are refused.
 */
async function resultWhere(
  slow: string,
  { isOpen = false, recovers = false, owners = ['ann', 'cleo'] } = {},
): Promise<PairResult> {
  let isStuck = true
  const notes = [...owners, 'bob'].map((name, at) => noteOf(name, 11 + at))
  const samples = new SampleShelf()
  samples.put(ENDPOINT, ...notes)
  const callers = new Callers(() => ['authorization'])
  for (const note of notes) callers.learn(note)
  const { template } = parseTemplate(TEXT, `${TEST}.yaml`)
  const send = async (
    { url, headers }: { url: string; headers: readonly string[] },
    { signal }: { signal: AbortSignal },
  ) => {
    const note = notes.find(({ request }) => request.target === url)!
    if (isStuck && note.response.body.includes(slow))
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          isStuck = !recovers
          reject(new Failure('SEND_STOPPED'))
        })
      })
    const isTheirs = headers.includes(note.request.headers[1]!)
    const isRefused = !isTheirs && !(isOpen && headers.includes('bob-token'))
    const response = isRefused ? { ...note.response, status: 404, body: '{"error":"none"}' } : note.response
    return { response, totalMs: 1, isTruncated: false }
  }
  const material = {
    samples,
    callers,
    credentialsFor: () => ({
      authHeaderNames: ['authorization'],
      authTypeKeys: { headers: [], bodyKeys: [] },
      parametersOf: () => [{ where: 'HEADER', key: 'authorization', value: 'bob-token' }],
      attackerRole: 'ATTACKER_TOKEN_ALL',
    }),
    freshAnswers: new FreshAnswers(),
    lookups: { ...EMPTY_LOOKUPS, privateValuesOf: () => [{ key: 'id', value: '1' }] },
    templates: new Map([[TEST, template!]]),
    words: new Map(),
    purpose: {},
    callback: null,
    defaultPages: new DefaultPages(),
    callbackPatienceMs: 0,
    sender: { send },
  } as unknown as RunMaterial
  // Longer, so that the others leave more than a share on a slow machine, too.
  return resultOf(TEST, material, recovers ? 6_000 : 3_000)
}

async function resultOf(testId: string, material: RunMaterial, pairLimitMs = 3_000): Promise<PairResult> {
  const results: PairResult[] = []
  await executePairs([{ testId, endpoint: ENDPOINT } as never], {
    concurrency: 1,
    record: (some) => {
      results.push(...some)
      return Promise.resolve()
    },
    toolsWith: (signal) => runTools(material, signal),
    signal: new AbortController().signal,
    templates: material.templates,
    pairLimitMs,
  })
  return results[0]!
}

test('a caller whose requests are not answered does not keep the others from being tested', async () => {
  expect((await resultWhere('ann', { isOpen: true })).outcome).toBe('VULNERABLE')
  const { outcome, explanation } = await resultWhere('cleo')
  expect(outcome).toBe('SECURE')
  expect(explanation).toContain('no verdict on 1 of 2 recorded callers')
})

test('a caller whose share was too short gets the time that the others leave', async () => {
  const owners = ['ann', 'cleo', 'dora', 'emil']
  const { outcome, explanation } = await resultWhere('ann', { recovers: true, owners })
  expect(outcome).toBe('SECURE')
  expect(explanation).not.toContain('no verdict')
})

test('what no caller was tested with in time is not tested', async () => {
  const { outcome, explanation } = await resultWhere('id')
  expect(outcome).toBe('TEST_TIMED_OUT')
  expect(explanation).toContain('share of its time')
})

const SECRET = 'SECRET'
const PASSIVE = `${TEXT.replaceAll(TEST, SECRET).split('api_selection_filters:')[0]}api_selection_filters:
  method: { eq: GET }
execute:
  type: passive
  requests:
    - req: []
validate:
  response_payload: { contains_all: [private-key] }
`

/** What is made of a key in the answers to these people; root is the administrator. */
async function secretShownTo(...readers: string[]): Promise<PairResult> {
  const samples = new SampleShelf()
  const answered = (name: string, at: number): Exchange => {
    const note = noteOf(name, at)
    const body = readers.includes(name) ? '{"key":"private-key"}' : note.response.body
    return { ...note, response: { ...note.response, body } }
  }
  samples.put(ENDPOINT, answered('root', 11), answered('ann', 12))
  const { template } = parseTemplate(PASSIVE, `${SECRET}.yaml`)
  const material = {
    samples,
    credentialsFor: () => ({
      authHeaderNames: [],
      authTypeKeys: { headers: [], bodyKeys: [] },
      parametersOf: () => null,
    }),
    freshAnswers: new FreshAnswers(),
    lookups: {
      ...EMPTY_LOOKUPS,
      isFromAdministrator: ({ exchange }: MessageView) => exchange.request.headers.includes('root-token'),
    },
    templates: new Map([[SECRET, template!]]),
    words: new Map(),
    defaultPages: new DefaultPages(),
    sender: { send: () => Promise.reject(new Error('nothing is sent')) },
  } as unknown as RunMaterial
  return resultOf(SECRET, material)
}

test('a secret is less severe where only administrators were recorded being answered it', async () => {
  const seen = await secretShownTo('root', 'ann')
  expect([seen.outcome, seen.severity]).toEqual(['VULNERABLE', 'HIGH'])
  expect(seen.explanation).not.toContain('administrators')
  const kept = await secretShownTo('root')
  expect([kept.outcome, kept.severity]).toEqual(['VULNERABLE', 'MEDIUM'])
  expect(kept.explanation).toContain('Only administrators were recorded')
  expect((await secretShownTo('ann')).severity).toBe('HIGH')
})
