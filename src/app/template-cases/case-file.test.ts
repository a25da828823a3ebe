import { expect, test } from 'vitest'
import { readCases } from './case-file.ts'
import { readSentCases } from './try-cases.ts'

/** One case whose rules are given as YAML flow maps. */
const caseOf = (rules: readonly string[]) =>
  `cases:
  - name: a
    expect: secure
    sample: { request: GET /orders }
    answers:
${rules.map((rule) => `      - ${rule}\n`).join('')}`

const problemOf = (text: string): string | null => {
  try {
    readSentCases(text)
    return null
  } catch (error) {
    return ((error as Error).cause as Error).message
  }
}

test('a text that is not YAML is refused with the line', () => {
  expect(() => readCases('cases:\n  - name: "a\n')).toThrow(/^line 3: The text is not YAML: /)
  expect(() => readCases('cases:\n  - name: &a x\n')).toThrow(
    'line 2: Anchors and aliases are not allowed: write the value out.',
  )
  expect(() => readCases('')).toThrow('the list "cases" is missing')
})

test('a case of 200 rules is read, one of 201 refused', () => {
  const rules = Array.from({ length: 201 }, () => '{ when: {}, body: x }')
  expect(problemOf(caseOf(rules.slice(1)))).toBeNull()
  expect(problemOf(caseOf(rules))).toContain('case "a" has more than 200 answers')
})

test('a rule of 100 placeholders is read, one of 101 refused', () => {
  const rule = (more: string) =>
    `{ when: {}, echo: true, headers: { x-a: "${'${path}'.repeat(50)}" }, body: "${'${body.id}'.repeat(50)}"${more} }`
  expect(problemOf(caseOf([rule('')]))).toBeNull()
  expect(problemOf(caseOf([rule(', calls: "${body.url}"')]))).toContain(
    'case "a" has an answer with more than 100 placeholders',
  )
})

test('placeholders of a recorded response that is echoed count', () => {
  const text = caseOf(['{ when: sample, echo: true }'])
  const sample = `{ request: GET /orders, response: "${'${path}'.repeat(101)}" }`
  expect(problemOf(text.replace('{ request: GET /orders }', sample))).toContain('more than 100 placeholders')
})
