import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkAnswer } from '../../test/check-answer.ts'
import { commonErrors } from './errors/common.ts'
import { errorTable } from './errors.ts'
import { fillAnswer } from './fill-answer.ts'
import type { Operation } from './operation.ts'
import { readRequest } from './read-request.ts'
import { operationList, operations } from './registry.ts'
import type { OperationName } from './types.ts'

const named = operationList.map((operation) => [operation.name, operation] as const)

test.each(named)(
  '%s: the example request is read and its answer is complete and valid',
  (name, operation) => {
    const known = name as OperationName
    const request = readRequest(known, operation.example.request)
    const body = fillAnswer(known, operation.example.response as never, request as never)
    expect(checkAnswer(known, body)).toBeNull()
  },
)

test.each(named)('%s: the example names only fields of the contract', (_name, operation) => {
  for (const key of Object.keys(operation.example.request)) expect(allowedKeys(operation)).toContain(key)
  if (operation.answer.shape !== 'wide') return
  const fields = { ...operation.answer.record.fields, ...operation.answer.extra }
  const shown = Object.keys(operation.example.response as object)
  for (const key of shown) expect(Object.keys(fields)).toContain(key)
  expect(shown).toEqual(expect.arrayContaining([...operation.answer.fills]))
})

test.each(named)('%s: is described, and its errors are rows of the table', (_name, operation) => {
  expect(operation.summary.length).toBeLessThanOrEqual(80)
  expect(operation.summary).not.toMatch(/\.$/)
  expect(operation.description.length).toBeGreaterThan(20)
  if (operation.specified !== 'full') expect(operation.note ?? '').not.toBe('')
  for (const code of operation.errors) {
    expect(Object.keys(errorTable)).toContain(code)
    expect(Object.keys(commonErrors)).not.toContain(code)
  }
})

test('no operation hides another of the same name in a second group', async () => {
  const files = readdirSync(new URL('./operations', import.meta.url)).filter(
    (file) => !file.includes('.test.'),
  )
  const modules: object[] = await Promise.all(files.map((file) => import(`./operations/${file}`)))
  const parts = modules
    .flatMap((module) => Object.entries(module))
    .filter(([name]) => name.endsWith('Operations'))
  const entries = parts.flatMap(([, part]) => Object.keys(part))
  expect([...entries].sort()).toEqual(Object.keys(operations).sort())
})

function allowedKeys(operation: Operation): string[] {
  const fields = Object.entries(operation.request)
  return fields.flatMap(([key, field]) => (field.alias === null ? [key] : [key, field.alias]))
}
