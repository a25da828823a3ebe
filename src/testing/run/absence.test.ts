import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { templateText } from '../../../test/template-text.ts'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS, MessageView, Variables } from '../../rules/index.ts'
import { draftOf } from '../attempts/index.ts'
import { parseTemplate } from '../template/index.ts'
import { absenceDoubt } from './absence.ts'
import type { Trial } from './judge.ts'
import type { AttemptRecord } from './pair-result.ts'
import type { RunTools } from './tools.ts'

const { template } = parseTemplate(
  templateText({ operations: "        - modify_query_param: {q: '1'}" }),
  'absence.yaml',
)
const DONE = '{"status":"ok","mail":"ann@mail.test"}'
const EXPIRED = '{"status":"error","message":"The link has expired"}'

function answered(request: string, status: number, body: string): Exchange {
  const exchange = rawSample(request)
  const headers = ['content-type', 'application/json']
  return { ...exchange, response: { ...exchange.response, status, headers, body } }
}

const confirm = (body: string, token = 'a'): string =>
  `POST http://127.0.0.1:3000/reset HTTP/1.1\nauthorization: Bearer ${token}\ncontent-type: application/json\n\n${body}`
const link = (query: string): string => `GET http://127.0.0.1:3000/confirm?${query} HTTP/1.1\n\n`

interface Story {
  readonly recorded: Exchange
  readonly attack: Exchange
  /** What the original request is answered after the attack. */
  readonly now: Exchange
  /** What it was answered before, where it only reads. */
  readonly fresh?: Exchange
}

/** Why the attack proves nothing, and how often the original request was sent for it. */
async function doubtOf({ recorded, attack, now, fresh }: Story) {
  let asked = 0
  const tools: Partial<RunTools> = {
    sampleOf: () => recorded,
    isDefaultPage: () => false,
    lookups: EMPTY_LOOKUPS,
    unchangedAnswer() {
      asked++
      return Promise.resolve(now)
    },
    send() {
      asked++
      return Promise.resolve({ exchange: now, responseTimeMs: 1, isTruncated: false })
    },
  }
  const trial: Trial = {
    template: template!,
    endpoint: { collectionId: 1, method: recorded.request.method, url: '/' },
    sample: new MessageView(recorded),
    start: draftOf(recorded),
    variables: new Variables(),
    tools: tools as RunTools,
    credentialNames: ['authorization'],
  }
  const attempt = { exchange: { ...attack, at: 1_800_000_000 } } as AttemptRecord
  const doubt = await absenceDoubt(trial, [attempt], fresh ?? null)
  return { code: doubt?.code, text: doubt?.text ?? '', asked }
}

const RESET = confirm('{"reset_token":"t-4711","password":"new"}')

test('a spent token in a body makes a refusal with status 200 prove nothing', async () => {
  const story = { recorded: answered(RESET, 200, DONE), attack: answered(RESET, 200, EXPIRED) }
  const doubt = await doubtOf({ ...story, now: story.attack })
  expect(doubt.code).toBe('BASELINE_CHANGED')
  expect(doubt.text).toContain('reset_token')
  expect((await doubtOf({ ...story, now: story.recorded })).code).toBeUndefined()
})

test('a refusal of another caller proves nothing where the token in the body was spent', async () => {
  const attack = answered(
    confirm('{"reset_token":"t-4711","password":"new"}', 'b'),
    403,
    '{"error":"invalid"}',
  )
  const recorded = answered(RESET, 200, DONE)
  const spent = await doubtOf({ recorded, attack, now: answered(RESET, 403, '{"error":"invalid"}') })
  expect(spent.code).toBe('BASELINE_CHANGED')
  expect(spent.text).toContain('reset_token')
  expect((await doubtOf({ recorded, attack, now: recorded })).code).toBeUndefined()
})

test('a link that the test itself has spent makes the refusal of its attack prove nothing', async () => {
  const recorded = answered(link('token=t-4711&q=0'), 200, DONE)
  const attack = answered(link('token=t-4711&q=1'), 410, EXPIRED)
  const spent = await doubtOf({ recorded, fresh: recorded, attack, now: answered(link(''), 410, EXPIRED) })
  expect(spent.code).toBe('BASELINE_CHANGED')
  expect(spent.text).toContain('token')
  expect((await doubtOf({ recorded, fresh: recorded, attack, now: recorded })).code).toBeUndefined()
})

test('a read that says with status 200 that it is refused is not as recorded', async () => {
  const recorded = answered(link('q=0'), 200, DONE)
  const expired = answered(link('q=0'), 200, EXPIRED)
  const doubt = await doubtOf({
    recorded,
    fresh: expired,
    attack: answered(link('q=1'), 200, EXPIRED),
    now: expired,
  })
  expect(doubt.code).toBe('BASELINE_CHANGED')
})

test('refusals are proof without another request where nothing in the request can be spent', async () => {
  const plain = confirm('{"country_code":"DE","note":"x"}')
  const recorded = answered(plain, 200, DONE)
  const attack = answered(confirm('{"country_code":"DE","note":"x"}', 'b'), 403, '{"error":"no"}')
  expect(await doubtOf({ recorded, attack, now: attack })).toEqual({ code: undefined, text: '', asked: 0 })
  const read = answered(link('q=0'), 200, DONE)
  const refused = answered(link('q=1'), 400, '{"error":"no"}')
  expect(await doubtOf({ recorded: read, fresh: read, attack: refused, now: refused })).toEqual({
    code: undefined,
    text: '',
    asked: 0,
  })
})

test('a forged token that is refused proves nothing where it was made of one that has expired', async () => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const tokenUntil = (exp: number, signature = 'c2lnbg'): string =>
    `${part({ alg: 'HS256' })}.${part({ sub: '7', exp })}.${signature}`
  const note = '{"note":"x"}'
  const doubtFor = async (exp: number, sent: string) => {
    const recorded = answered(confirm(note, tokenUntil(exp)), 200, DONE)
    const attack = answered(confirm(note, sent), 401, '{"error":"no"}')
    const now = answered(confirm(note, tokenUntil(exp)), 401, '{"error":"expired"}')
    return (await doubtOf({ recorded, attack, now })).code
  }
  expect(await doubtFor(1_700_000_000, tokenUntil(1_700_000_000, 'Zm9yZ2Vk'))).toBe('BASELINE_CHANGED')
  expect(await doubtFor(1_900_000_000, tokenUntil(1_900_000_000, 'Zm9yZ2Vk'))).toBeUndefined()
  // Somebody else's token is refused for whose it is.
  expect(await doubtFor(1_700_000_000, tokenUntil(1_900_000_000))).toBeUndefined()
})

test('codes that stand for something do not make a refused write be repeated', async () => {
  for (const field of ['postcode', 'zipCode', 'barcode', 'postal_code', 'languageCode']) {
    const body = `{"${field}":"53113"}`
    const recorded = answered(confirm(body), 200, DONE)
    const refused = answered(confirm(body, 'b'), 401, '{"error":"no"}')
    expect(await doubtOf({ recorded, attack: refused, now: refused })).toMatchObject({ asked: 0 })
  }
})

test('a failure with status 200 is for its caller only where its message says so', async () => {
  const recorded = answered(confirm('{"author":7}'), 200, '{"success":true,"session":null}')
  const now = answered(confirm('{"author":7}'), 200, '{"success":false,"session":null,"error":"gone"}')
  const doubtFor = async (error: string) => {
    const body = `{"success":false,"session":null,"error":"${error}"}`
    return (await doubtOf({ recorded, attack: answered(confirm('{"author":7}', 'b'), 200, body), now })).code
  }
  expect(await doubtFor('Author 7 no longer exists')).toBe('BASELINE_CHANGED')
  expect(await doubtFor('You are not authorized')).toBeUndefined()
})

test('a failure is known in an envelope that always has the same fields', async () => {
  const order = 'GET http://127.0.0.1:3000/orders/7 HTTP/1.1\nauthorization: Bearer a\n\n'
  const recorded = answered(order, 200, '{"status":"success","message":"OK","data":{"id":7}}')
  const fresh = answered(order, 200, '{"status":"error","message":"Order not found","data":null}')
  const attack = answered(order, 403, '{"error":"no"}')
  expect((await doubtOf({ recorded, fresh, attack, now: fresh })).code).toBe('BASELINE_CHANGED')
})

test.each([
  ['_wpnonce', '4f1c9e2b7a'],
  ['csrfmiddlewaretoken', 'aB3dE5fG7hI9'],
  ['smsOTP', '482913'],
  ['phoneCode', '482913'],
])('what %s says may be spent', async (name, value) => {
  const body = `{"${name}":"${value}"}`
  const refused = answered(confirm(body, 'b'), 403, '{"error":"no"}')
  const doubt = await doubtOf({ recorded: answered(confirm(body), 200, DONE), attack: refused, now: refused })
  expect(doubt.code).toBe('BASELINE_CHANGED')
  expect(doubt.text).toContain(name)
})

test('the state of an object is not a failed request', async () => {
  const job = 'GET http://127.0.0.1:3000/jobs/7 HTTP/1.1\nauthorization: Bearer a\n\n'
  const recorded = answered(job, 200, '{"id":7,"status":"done"}')
  const fresh = answered(job, 200, '{"id":7,"status":"failed"}')
  const attack = answered(job, 403, '{"error":"no"}')
  expect((await doubtOf({ recorded, fresh, attack, now: fresh })).code).toBeUndefined()
  const told = answered(job, 200, '{"id":7,"status":"failed","error":"Out of memory"}')
  expect((await doubtOf({ recorded, fresh: told, attack, now: told })).code).toBeUndefined()
  const hostile = answered(job, 200, '{"id":7,"status":{"toString":0},"error":1}')
  expect((await doubtOf({ recorded, fresh: hostile, attack, now: hostile })).code).toBeUndefined()
})
