import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseTemplate } from '../template/index.ts'
import { isSlowPhase, phaseOf } from './pair-phase.ts'

function phase(file: string, method: string, url: string): number {
  const path = new URL(`../../../templates/tests/${file}.yaml`, import.meta.url)
  const { template } = parseTemplate(readFileSync(path, 'utf8'), `${file}.yaml`)
  return phaseOf(template!, { method, url }).phase
}

test('reads come first, then changes, what is slow, what signs in, and last what may keep an application busy', () => {
  const order = [
    phase('bola/BOLA_READ', 'GET', '/notes/INTEGER'),
    phase('injection/SQLI_ERROR_BODY', 'POST', '/notes'),
    phase('injection/SQLI_TIME_MYSQL_BODY', 'POST', '/notes'),
    phase('injection/SQLI_ERROR_BODY', 'POST', '/login'),
    phase('no-auth/LOGIN_BRUTE_FORCE', 'POST', '/login'),
    phase('rate-limit/REDOS_BODY', 'POST', '/login'),
    phase('rate-limit/UNBOUNDED_TEXT_LENGTH', 'POST', '/notes'),
  ]
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(new Set(order).size).toBe(order.length)
})

test('a text that grows is tried before one that is long at once, on every endpoint', () => {
  const growing = phase('rate-limit/REDOS_EMAIL', 'POST', '/login')
  expect(growing).toBe(phase('rate-limit/REDOS_EMAIL', 'PATCH', '/notes/INTEGER'))
  expect(growing).toBeLessThan(phase('rate-limit/UNBOUNDED_TEXT_LENGTH', 'POST', '/notes'))
  expect(isSlowPhase(growing)).toBe(true)
})
