import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../kit/index.ts'
import { exitCodes } from '../exit-codes.ts'
import { printResult } from '../print-result.ts'
import type { Arguments } from '../read-arguments.ts'
import { takeWords } from '../words.ts'

/** Writes a test and its cases, which pass, to start from. */
export async function newTemplate(given: Arguments, words: readonly string[]): Promise<number> {
  const [id] = takeWords(words, ['ID'])
  if (!/^[A-Z][A-Z0-9_]{2,99}$/.test(id))
    throw new Failure('BAD_COMMAND', { reason: '<ID> takes capitals, digits and _, such as DEBUG_HEADER' })
  const folder = given.options['folder'] ?? '.'
  const files = [join(folder, `${id}.yaml`), join(folder, `${id}.cases.yaml`)] as const
  const present = files.find((path) => existsSync(path))
  if (present !== undefined) {
    process.stderr.write(`vigil: ${present} exists, and was left as it is\n`)
    return exitCodes.failed
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(files[0], testText(id), { flag: 'wx' })
  writeFileSync(files[1], CASES, { flag: 'wx' })
  printResult(given, { files }, `${files.join('\n')}\n`)
  if (!given.isJson) process.stderr.write(`Run its cases: vigil templates test ${files[0]}\n`)
  return exitCodes.done
}

function testText(id: string): string {
  return `id: ${id}
info:
  name: Debug output enabled by request header
  description: A request header makes the endpoint return debug output.
  details: Adds X-Debug to the recorded request and looks for a debug section in the response.
  impact: Stack traces and configuration help an attacker.
  category: { name: MISCONFIG, shortName: Misconfiguration, displayName: Security misconfiguration }
  subCategory: ${id}
  severity: MEDIUM
  cwe: [CWE-489]
api_selection_filters:          # which endpoints, judged on their sample
  method: { eq: GET }
  response_code: { gte: 200, lt: 300 }
execute:                        # what is sent: the sample with this change
  type: single
  requests:
    - req:
        - add_header: { X-Debug: "1" }
validate:                       # which response proves the weakness
  response_payload:
    contains_either: ['"debug":', 'Traceback (most recent call last)']
`
}

const CASES = `cases:
  - name: the header turns debug output on
    expect: vulnerable
    sample:
      request: GET /orders/1
      response: '{"id":1}'
    answers:
      - when: { headers: { x-debug: "1" } }
        body: '{"id":1,"debug":{"sql":"SELECT 1"}}'
      - when: sample
  - name: the header changes nothing
    expect: secure
    sample:
      request: GET /orders/1
      response: '{"id":1}'
    answers:
      - when: { path: /orders/1 }
        body: '{"id":1}'
  - name: debug output is there anyway
    expect: unconfirmed
    sample:
      request: GET /orders/1
      response: '{"id":1,"debug":{}}'
    answers:
      - when: { path: /orders/1 }
        body: '{"id":1,"debug":{}}'
`
