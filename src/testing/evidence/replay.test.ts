import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { templateText } from '../../../test/template-text.ts'
import type { Exchange } from '../../http/index.ts'
import { ATTACKER_ROLE } from '../attempts/index.ts'
import type { Evidence } from '../records/evidence.ts'
import { templateDigest } from './record-tape.ts'
import { replay } from './replay.ts'
import type { Tape, TapedSend } from './tape.ts'

const ENDPOINT = { collectionId: 1, method: 'PUT', url: '/projects/STRING/flags/STRING' }

function sample(request: string, status = 200, body = '{"name":"new"}'): Exchange {
  const exchange = rawSample(request)
  const headers = ['content-type', 'application/json']
  return { ...exchange, response: { ...exchange.response, status, headers, body } }
}

const CHANGE = sample(
  'PUT /projects/default/flags/new HTTP/1.1\nhost: work.test\nauthorization: Bearer olga\n\n{"name":"new"}',
)
const TARGET = 'https://work.test/projects/default/flags/new'

function sent(parts: { authorization?: string; name?: string; status?: number; ms?: number }): TapedSend {
  const { authorization = 'Bearer olga', name = 'new', status = 200, ms = 1 } = parts
  const request = `PUT ${TARGET} HTTP/1.1\nhost: work.test\nauthorization: ${authorization}\n\n{"name":"${name}"}`
  return { exchange: sample(request, status), responseTimeMs: ms, isTruncated: false, isDefaultPage: false }
}

/** What a test with these sends comes to when it is judged again. */
function judged(source: string, parts: Partial<Tape>, baseline = CHANGE) {
  const tape: Tape = {
    templates: { CASE: templateDigest(source) },
    words: {},
    captured: {},
    credentials: {
      headerNames: ['authorization'],
      typeHeaders: [],
      typeBodyKeys: [],
      roles: { [ATTACKER_ROLE]: [{ where: 'HEADER', key: 'authorization', value: 'Bearer otto' }] },
    },
    fresh: null,
    unchanged: null,
    sends: [],
    lookups: {},
    callbacks: [],
    ...parts,
  }
  const evidence: Evidence = {
    baseline,
    attempts: [],
    control: null,
    identities: [],
    callbackIds: [],
    selection: null,
    tape,
  }
  return replay({ testId: 'CASE', endpoint: ENDPOINT, evidence, templates: { CASE: source } })
}

test('what the attacker was told it may do or belongs to is judged so again', async () => {
  const source = templateText({
    filters: '  or:\n    - private_variable_context: {gt: 0}\n    - method: {eq: PUT}',
    operations: '        - replace_auth_header: true',
  })
  const sends = [
    sent({ authorization: 'Bearer otto' }),
    sent({ authorization: 'Bearer nobody', status: 401 }),
  ]
  const listed = { sends, listing: 'named' } as const
  expect((await judged(source, listed)).outcome).toBe('VULNERABLE')
  const granted = await judged(source, { ...listed, listing: 'granted' })
  expect(granted.outcome).toBe('UNCONFIRMED')
  expect(granted.explanation).toContain('told the attacker that it may write such objects')
  const member = await judged(source, { sends, listing: 'member' })
  expect(member.outcome).toBe('UNCONFIRMED')
  expect(member.explanation).toContain('told the attacker that it belongs to everything')
})

const SLOWED = templateText({
  wordLists: '  texts: [a, b, aaaa!]',
  operations: '        - modify_body_param:\n            name: ${texts}',
  validate: '  slowed: {eq: true}',
})
const QUICK = sent({ name: 'a' })
const SLOW = sent({ name: 'aaaa!', ms: 2000 })
const BEFORE = [QUICK, sent({ name: 'b' }), SLOW]

test('a slow answer that was repeated between quick ones is found again', async () => {
  const sends = [...BEFORE, QUICK, SLOW, QUICK, SLOW, sent({})]
  expect((await judged(SLOWED, { sends })).outcome).toBe('VULNERABLE')
})

test('evidence of requests that a test sends in another order now is not judged', async () => {
  await expect(judged(SLOWED, { sends: [...BEFORE, SLOW, sent({})] })).rejects.toMatchObject({
    code: 'EVIDENCE_CANNOT_BE_JUDGED',
    details: { reason: expect.stringContaining('another order') },
  })
})

test('evidence of a request with another method than the test sends now is not judged', async () => {
  const source = templateText({ operations: '        - replace_auth_header: true' })
  const read = { ...SLOW, exchange: sample(`GET ${TARGET} HTTP/1.1\nhost: work.test\n\n`) }
  await expect(judged(source, { sends: [read, read] })).rejects.toMatchObject({
    code: 'EVIDENCE_CANNOT_BE_JUDGED',
  })
})
