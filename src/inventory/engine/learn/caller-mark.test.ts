import { expect, test } from 'vitest'
import { rawSample } from '../../../../test/raw-sample.ts'
import { callerMark } from './caller-mark.ts'

const markOf = (...headers: string[]): string =>
  callerMark(rawSample(`GET https://bank.test/customers HTTP/1.1\n${headers.join('\n')}\n\n`) as never)

test('a header that is named as a token distinguishes callers, where they send nothing else', () => {
  const [owner, other] = ['x6oici7wh3prgx34fxo1', 'vfuzd2nvaweojqolm4kq']
  expect(markOf(`X-API-Token: ${owner}`)).not.toBe('')
  expect(markOf(`X-API-Token: ${owner}`)).not.toBe(markOf(`X-API-Token: ${other}`))
  expect(markOf('X-API-Token: null')).toBe('')
  // Beside the credential of a user it says nothing of the caller.
  expect(markOf('Authorization: Bearer a', `X-API-Token: ${owner}`)).toBe(markOf('Authorization: Bearer a'))
})
