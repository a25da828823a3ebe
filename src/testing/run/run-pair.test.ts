import { readFileSync } from 'node:fs'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { attemptEnvironment } from '../../../test/attempt-environment.ts'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS } from '../../rules/index.ts'
import { parseTemplate, type Template } from '../template/index.ts'
import { runPair } from './run-pair.ts'
import type { RunTools } from './tools.ts'

function testOf(id: string): Template {
  const file = new URL(`../../../templates/tests/no-auth/${id}.yaml`, import.meta.url)
  return parseTemplate(readFileSync(file, 'utf8'), `${id}.yaml`).template!
}

const ENDPOINT = { collectionId: 1, method: 'POST', url: 'http://127.0.0.1:3000/cards/INTEGER/switch' }
const FROZEN = { is_frozen: true, message: 'The card is frozen.' }
const THAWED = { is_frozen: false, message: 'Payments are possible again.' }

/** A card that each request freezes or thaws, if its token looks like one: nobody verifies the signature. */
async function switchOfCard() {
  const token = await new SignJWT({ user: 'ann' })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode('a secret of 32 characters or more'))
  const sample = rawSample(
    `POST http://127.0.0.1:3000/cards/7/switch HTTP/1.1\nauthorization: Bearer ${token}\n\n`,
  )
  const answered = (status: number, body: object): Exchange => ({
    ...sample,
    response: { ...sample.response, status, body: JSON.stringify(body) },
  })
  let isFrozen = false
  const tools: Partial<RunTools> = {
    send({ headers }) {
      const sent = headers.find(({ name }) => name.toLowerCase() === 'authorization')?.value ?? ''
      if (!/^Bearer eyJ[\w-]+\.eyJ[\w-]+\./.test(sent))
        return Promise.resolve({ exchange: answered(401, {}), responseTimeMs: 1, isTruncated: false })
      isFrozen = !isFrozen
      const exchange = answered(200, isFrozen ? FROZEN : THAWED)
      return Promise.resolve({ exchange, responseTimeMs: 1, isTruncated: false })
    },
    environmentFor: (_template, _endpoint, variables) => attemptEnvironment(variables),
    wordsFor: () => new Map(),
    provideCaptured: () => {},
    sampleOf: () => answered(200, FROZEN),
    freshAnswer: () => Promise.resolve(null),
    isDefaultPage: () => false,
    lookups: EMPTY_LOOKUPS,
    nowMs: () => 0,
    callbackPatienceMs: 0,
    templateOf: (id) => (id === 'JWT_SIGNATURE_NOT_VERIFIED' ? testOf(id) : null),
  }
  return tools as RunTools
}

test('a more general weakness explains a finding also where each request switches the answer', async () => {
  const { outcome, explanation } = await runPair(
    testOf('JWT_CLAIM_TAMPERING'),
    ENDPOINT,
    await switchOfCard(),
  )
  expect(explanation).toContain('JWT_SIGNATURE_NOT_VERIFIED')
  expect(outcome).toBe('COVERED_BY_BROADER_CAUSE')
})
