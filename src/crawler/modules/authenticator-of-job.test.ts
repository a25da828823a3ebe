import { expect, test } from 'vitest'
import type { DriverContext } from '../browser/driver.ts'
import { authenticatorOf, maskOf, unsendableHeaders } from './authenticator-of-job.ts'
import type { CrawlJob } from './crawl-job.ts'

function jobWith(changes: Partial<CrawlJob>): CrawlJob {
  return {
    crawlId: 'c1',
    hostname: 'https://shop.test/',
    crawlingSeconds: 600,
    spentSeconds: 0,
    outScopeUrls: null,
    urlTemplatePatterns: null,
    applicationPages: null,
    harmfulActions: 'AVOID',
    form: null,
    apiKey: null,
    customHeaders: {},
    roleName: null,
    roleHeaders: {},
    recordedFlow: null,
    helperOf: null,
    ...changes,
  }
}

test('the key, role headers and password of a job are never disclosed', () => {
  const told = 'key-of-the-target role-token-0001 run-token-00001 correct-horse'
  const form = { username: 'ada', password: 'correct-horse' }
  const role = { apiKey: 'key-of-the-target', roleHeaders: { Authorization: 'Bearer role-token-0001' } }
  const mask = maskOf(jobWith({ ...role, form, customHeaders: { 'x-auth-token': 'run-token-00001' } }))
  expect(mask.text(told)).toBe('***masked*** ***masked*** ***masked*** ***')
  expect(maskOf(jobWith({})).text(told)).toBe(told)
})

test('headers that a browser cannot be made to send are named', () => {
  const customHeaders = { 'x-run': '1', Connection: 'close' }
  const roleHeaders = { Authorization: 'Bearer t', host: 'else.test', 'x-line': 'a\nb' }
  expect(unsendableHeaders(jobWith({ customHeaders, roleHeaders }))).toEqual(['Connection', 'host', 'x-line'])
  expect(unsendableHeaders(jobWith({}))).toEqual([])
})

test('a role whose headers a browser writes itself does not sign in', async () => {
  const login = authenticatorOf(
    jobWith({ roleName: 'HOST', roleHeaders: { Host: 'else.test' } }),
    async (_digest, step) => step,
  )
  const context = {} as DriverContext
  expect(await login?.authenticate(context, new AbortController().signal)).toEqual({
    kind: 'failed',
    text: 'None of the headers can be sent by a browser.',
    mayRetry: false,
  })
})
