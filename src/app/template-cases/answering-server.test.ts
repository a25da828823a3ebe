import { expect, test, vi } from 'vitest'
import { startAnsweringServer } from './answering-server.ts'
import type { AnswerRule } from './case-file.ts'

/** What a server with one rule answers to a body; null for a closed connection. */
async function answerTo(rule: Omit<AnswerRule, 'when'>, body: string) {
  const one = { name: 'a', expect: 'secure', sample: { request: 'GET /' }, answers: [{ when: {}, ...rule }] }
  const server = await startAnsweringServer(one, 'http://127.0.0.1:1')
  try {
    const text = await fetch(server.origin, { method: 'POST', body }).then(
      (response) => response.text(),
      () => null,
    )
    return { text, fault: server.fault()?.message ?? null }
  } finally {
    await server.close()
  }
}

const KIB = 1_024

test('a request body of 256 KiB is answered, a larger one is a fault', async () => {
  expect(await answerTo({ body: 'ok' }, 'x'.repeat(256 * KIB))).toEqual({ text: 'ok', fault: null })
  expect(await answerTo({ body: 'ok' }, 'x'.repeat(256 * KIB + 1))).toEqual({
    text: null,
    fault: 'a request has a body over 256 KiB, the limit of cases',
  })
})

test('an answer of 1 MiB is filled in, a larger one is a fault', async () => {
  const text = 'x'.repeat(200 * KIB)
  const echoed = await answerTo({ echo: true, body: '${body}'.repeat(5) }, text)
  expect(echoed.text === text.repeat(5)).toBe(true)
  const fault = 'an answer is over 1 MiB with its placeholders replaced, the limit of cases'
  expect(await answerTo({ echo: true, body: '${body}'.repeat(6) }, text)).toEqual({ text: null, fault })
  const half = '${body}'.repeat(3)
  expect(await answerTo({ echo: true, headers: { 'x-a': half }, body: half }, text)).toEqual({
    text: null,
    fault,
  })
})

test('a JSON body is parsed once for all placeholders of an answer', async () => {
  const body = '{"name":"Ada","roles":["admin"]}'
  const parse = vi.spyOn(JSON, 'parse')
  const template = '${body.name} ${body.roles} ${body.name} ${body.absent} ${body.constructor}'
  const { text } = await answerTo({ echo: true, body: template }, body)
  const parsed = parse.mock.calls.filter(([source]) => source === body).length
  parse.mockRestore()
  expect(text).toBe('Ada ["admin"] Ada null null')
  expect(parsed).toBe(1)
})

test('fields of a form replace placeholders', async () => {
  const { text } = await answerTo({ echo: true, body: '${body.a}-${body.b}-${body.c}' }, 'a=1&b=x+y')
  expect(text).toBe('1-x y-')
})
