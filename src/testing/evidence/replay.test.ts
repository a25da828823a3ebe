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
const answeredTo = (authorization: string, status: number): TapedSend => ({
  exchange: sample(
    `PUT http://work.test/projects/default/flags/new HTTP/1.1\nhost: work.test\nauthorization: ${authorization}\n\n{"name":"new"}`,
    status,
  ),
  responseTimeMs: 1,
  isTruncated: false,
  isDefaultPage: false,
})

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

test('a write that the attacker was told it may do is judged so again', async () => {
  const source = templateText({
    filters: '  or:\n    - private_variable_context: {gt: 0}\n    - method: {eq: PUT}',
    operations: '        - replace_auth_header: true',
  })
  const sends = [answeredTo('Bearer otto', 200), answeredTo('Bearer nobody', 401)]
  const listed = { sends, isListed: true, isListedShared: false }
  expect((await judged(source, listed)).outcome).toBe('VULNERABLE')
  const granted = await judged(source, { ...listed, isGranted: true })
  expect(granted.outcome).toBe('UNCONFIRMED')
  expect(granted.explanation).toContain('told the attacker that it may write such objects')
})
