import { afterEach, expect, test } from 'vitest'
import { setClock } from '../../kit/index.ts'
import { unusedCode } from '../login/one-time-code.ts'
import { withoutSecrets } from './flow-error.ts'
import { parseRecording, recordingUrls, typedCredentials } from './parse-recording.ts'
import { codesOfPlay, typedValue } from './typed-value.ts'

const never = new AbortController().signal

const open = { type: 'navigate', url: 'https://shop.example/login' }

let restoreClock = (): void => {}

afterEach(() => restoreClock())

test('reads an export of the recorder with what it copies and whom it may ask', async () => {
  const recording = await parseRecording(
    JSON.stringify({
      title: 'login',
      totp: 'JBSWY3DPEHPK3PXP',
      steps: [
        {
          ...open,
          assertedEvents: [{ type: 'navigation', url: 'https://sso.example/start?x=1', title: '' }],
        },
        { type: 'change', selectors: [['aria/Password'], ['#p']], value: 'hidden words' },
        { type: 'keyDown', key: '${totp[2]}' },
      ],
      requests: [{ urlRegex: '/api/.*', position: 'header', name: 'Authorization', saveAs: 'auth' }],
    }),
  )
  expect(recording.urls.map(({ host }) => host)).toEqual(['shop.example', 'sso.example'])
  expect(recording.secrets).toEqual(['hidden words'])
  expect(recording.copies).toEqual([{ urlPattern: '/api/.*', name: 'Authorization', saveAs: 'auth' }])
  expect(recording.flow.steps[2]).toMatchObject({ type: 'keyDown', key: '${totp[2]}' })
})

test('reads the short form', async () => {
  const { flow } = await parseRecording(
    JSON.stringify([
      { action: 'navigate', url: open.url },
      { action: 'type', selector: '#user', value: 'ada' },
      { action: 'click', selector: '#go' },
    ]),
  )
  expect(flow.steps.map(({ type }) => type)).toEqual(['navigate', 'change', 'click'])
})

test.each([
  ['nonsense', 'FLOW_NOT_JSON', undefined],
  ['{}', 'FLOW_INVALID', 'it has no steps'],
  ['[]', 'FLOW_INVALID', 'it has no steps'],
  ['[1]', 'FLOW_INVALID', 'step 1 is not an object'],
  [JSON.stringify([{ action: 'fly' }]), 'FLOW_INVALID', 'step 1 has the unknown action fly'],
  [JSON.stringify([{ action: 'click', selector: 'a' }]), 'FLOW_INVALID', 'no step opens a page'],
  [
    JSON.stringify({ steps: [{ ...open, url: 'javascript:alert(1)' }] }),
    'FLOW_INVALID',
    'step 1 opens no http or https URL',
  ],
  [JSON.stringify({ steps: [open, { type: 'fly' }] }), 'FLOW_INVALID', expect.any(String)],
  [
    JSON.stringify({ steps: [open], requests: [{ urlRegex: '(', position: 'header', name: 'a' }] }),
    'FLOW_INVALID',
    'requests: ( is not a pattern',
  ],
  [
    JSON.stringify({ steps: Array.from({ length: 301 }, () => open) }),
    'FLOW_INVALID',
    'it has more than 300 steps',
  ],
])('refuses %s', async (text, code, reason) => {
  await expect(parseRecording(text)).rejects.toMatchObject({
    code,
    ...(reason === undefined ? {} : { details: { reason } }),
  })
})

test('lists the hosts of a recording, and none if it is not a recording', () => {
  expect(recordingUrls(JSON.stringify({ steps: [open] })).map(({ href }) => href)).toEqual([open.url])
  expect(recordingUrls('nonsense')).toEqual([])
})

test('types one-time codes in the place of what stands for them (RFC 6238, appendix B)', async () => {
  // "12345678901234567890" in base32; at 59 seconds the code of eight digits is 94287082.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  restoreClock = setClock(() => 50_000)
  const codeOf = codesOfPlay((one) => unusedCode(one, async (_digest, step) => step, never))
  const typed = (text: string, totp: string | null = secret) => typedValue(text, totp, codeOf)
  expect(await typed('${totp}')).toBe('287082')
  const digits = await Promise.all([0, 1, 2, 3, 4, 5].map((digit) => typed(`\${totp[${digit}]}`)))
  expect(digits.join('')).toBe('287082')
  expect(await typed(`otpauth://totp/x?secret=${secret}&digits=8`, null)).toBe('94287082')
  expect(await typed('plain ${totp} text')).toBe('plain ${totp} text')
  await expect(typed('${totp}', 'no base32!')).rejects.toThrow('FLOW_INVALID')
})

test('leaves out what was typed', () => {
  expect(withoutSecrets('no hidden words here', ['hidden', 'hidden words'])).toBe('no … here')
})

test('tells passwords from names of accounts by the boxes that they are typed into', () => {
  const change = (value: string, box: string) => ({ type: 'change', value, selectors: [['aria/x'], [box]] })
  const user = change('ada@shop.example', "[name='user']")
  const typed = (...steps: object[]) => typedCredentials(JSON.stringify({ steps: [open, user, ...steps] }))
  const names = { users: ['ada@shop.example'], secrets: ['hidden words'] }
  expect(typed(change('hidden words', '#password'), change('${totp}', '#code'))).toEqual(names)
  expect(typed(change('hidden words', '#q7'))).toEqual(names)
  expect(typedCredentials('no recording')).toEqual({ users: [], secrets: [] })
})

test('digits typed one by one are those of one code, though another is valid before the last', async () => {
  let valid = 111_111
  const codeOf = codesOfPlay(async () => String(valid++))
  const typed = (text: string) => typedValue(text, 'SECRET', codeOf)
  expect((await typed('${totp[0]}')) + (await typed('${totp[1]}')) + (await typed('${totp[2]}'))).toBe('111')
  expect(await typed('${totp}')).toBe('111112')
  expect((await typed('${totp[0]}')) + (await typed('${totp[5]}'))).toBe('13')
})

test('a code that somebody had, or that is about to end, gives way to the next one', async () => {
  const secret = 'otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&digits=8&period=1'
  const asked: { digest: string; step: number }[] = []
  const take = async (digest: string, step: number) => {
    asked.push({ digest, step })
    return step
  }
  restoreClock = setClock(() => 950)
  expect(await unusedCode(secret, take, never)).toBe('94287082')
  expect(asked).toEqual([{ digest: expect.stringMatching(/^[0-9a-f]{64}$/), step: 1 }])
  restoreClock()
  restoreClock = setClock(() => 890)
  expect(await unusedCode(secret, async () => 1, never)).toBe('94287082')
  await expect(unusedCode(secret, async () => 100, AbortSignal.abort(new Error('over')))).rejects.toThrow(
    'over',
  )
})
