import { expect, test } from 'vitest'
import { checkTarget } from './check-target.ts'

const own = ['127.0.0.1:9090']

function refusal(url: string, allowed: readonly string[] = []): unknown {
  try {
    checkTarget(new URL(url), own, allowed)
    return null
  } catch (error) {
    return (error as { details: unknown }).details
  }
}

test.each(['127.0.0.1:9090', 'localhost:9090', '[::1]:9090'])('a crawl never leads to %s itself', (host) => {
  expect(refusal(`http://${host}/`)).toEqual({ host, reason: 'it is a listener of Vigil itself' })
})

test('metadata of clouds are crawled only where the operator names them', () => {
  const url = 'http://169.254.169.254/latest'
  expect(refusal(url)).toEqual({
    host: '169.254.169.254',
    reason: '169.254.169.254 is a cloud metadata address; the setting VIGIL_ALLOWED_TARGETS can allow it',
  })
  expect(refusal(url, ['169.254.169.254'])).toBeNull()
  expect([refusal('http://localhost:9091/'), refusal('https://shop.test/')]).toEqual([null, null])
})
