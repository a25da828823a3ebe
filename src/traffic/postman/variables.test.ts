import { expect, test } from 'vitest'
import { Variables } from './variables.ts'

function filled(text: string, environment: Record<string, string>): { text: string; missing: string[] } {
  const missing = new Set<string>()
  const result = Variables.outermost(environment).fill(text, missing)
  return { text: result, missing: [...missing] }
}

test('a variable within its own value stays, and every other has its value', () => {
  const environment = { host: 'shop.test', a: '1{{b}}', b: '2{{a}}', loop: '{{loop}}' }
  expect(filled('https://{{host}}/{{loop}}?a={{a}}&a={{a}}&none={{none}}', environment)).toEqual({
    text: 'https://shop.test/{{loop}}?a=12{{a}}&a=12{{a}}&none={{none}}',
    missing: ['loop', 'a', 'none'],
  })
})

test('values are put into values and names', () => {
  const environment = {
    base: 'https://{{host_{{stage}}}}',
    stage: '{{where}}',
    where: 'eu',
    host_eu: 'eu.test',
  }
  expect(filled('{{base}}/{{ stage }}', environment)).toEqual({ text: 'https://eu.test/eu', missing: [] })
})

test('values that multiply end', () => {
  const environment = Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [`v${i}`, `{{v${i + 1}}}`.repeat(1_000)]),
  )
  expect(filled('{{v0}}', { ...environment, v9: '' }).text.length).toBeLessThanOrEqual(5_242_880)
})
