import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { matchesSearch, type Searchable } from '../../src/contract/index.ts'

const LIBRARY = fileURLToPath(new URL('../../templates/', import.meta.url))

interface Info {
  name: string
  category: { name: string; displayName: string }
  cwe: string[]
  tags: string[]
  compliance: Record<string, string[]>
}

function readAll(folder: string): Searchable[] {
  return readdirSync(join(LIBRARY, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml') && !file.endsWith('.cases.yaml'))
    .map((file) => {
      const { id, info } = parse(readFileSync(join(LIBRARY, folder, file), 'utf8')) as {
        id: string
        info: Info
      }
      return {
        id,
        name: info.name,
        category: [info.category.name, info.category.displayName],
        references: [...info.cwe, ...info.tags, ...Object.values(info.compliance).flat()],
      }
    })
}

const tests = readAll('tests')
const filters = readAll('filters')

function namesFound(items: readonly Searchable[], search: string): string[] {
  return items.filter((item) => matchesSearch(item, search)).map(({ name }) => name)
}

describe('what engineers type finds the tests of the library', () => {
  test.each([
    ['IDOR', 'Broken object level authorization (BOLA/IDOR): read'],
    ['insecure direct object reference', 'Broken object level authorization (BOLA/IDOR): read'],
    ['privilege escalation', 'Broken function level authorization (BFLA): admin data read by ordinary user'],
    ['brute force', 'No rate limiting on login (brute force)'],
    ['rate limit', 'No rate limiting on login (brute force)'],
    ['RCE', 'OS command injection in query parameter'],
    ['RCE', 'Server-side template injection (SSTI) in request body'],
    ['XXE', 'XML external entity (XXE) injection'],
    ['SSTI', 'Server-side template injection (SSTI) in request body'],
    ['LFI', 'Path traversal (local file read) in query parameter'],
    ['directory traversal', 'Path traversal (local file read) in query parameter'],
    ['sqli', 'SQL injection (error-based) in query parameter'],
    ['alg none', 'JWT accepted with "alg": "none"'],
    ['default password', 'Default credentials: Grafana'],
    ['clickjacking', 'Missing Content-Security-Policy header'],
    ['ReDoS', 'Regular expression denial of service (ReDoS) in email field'],
    ['bola delete', 'Broken object level authorization (BOLA/IDOR): delete'],
    ['CWE-89', 'SQL injection (error-based) in query parameter'],
    ['WSTG-INPV-05', 'SQL injection (error-based) in query parameter'],
    ['API1:2023', 'Broken object level authorization (BOLA/IDOR): read'],
    ['Security Misconfiguration', 'Exposed Dockerfile'],
    ['dockerf', 'Exposed Dockerfile'],
  ])('%s', (search, name) => {
    expect(namesFound(tests, search)).toContain(name)
  })
})

describe('what engineers type finds the filters of the library', () => {
  test.each([
    ['LFI', 'Path traversal'],
    ['Log4j', 'JNDI lookup injection (Log4Shell)'],
    ['CAPEC-66', 'SQL injection: UNION-based'],
    ['idor', 'BOLA/IDOR attempt: object ID enumeration'],
    ['rce', 'OS command injection: Unix shell'],
  ])('%s', (search, name) => {
    expect(namesFound(filters, search)).toContain(name)
  })
})

test('a test is found by its id, whatever its case', () => {
  for (const { id, name } of tests) expect(namesFound(tests, id.toLowerCase())).toContain(name)
})

test('numbers are whole: API1 is not API10, CWE-7 is not CWE-79', () => {
  expect(namesFound(tests, 'API1:2023').filter((name) => name.startsWith('Integration'))).toEqual([])
  expect(namesFound(tests, 'CWE-7')).toEqual([])
})

test('other weaknesses stay away', () => {
  for (const name of namesFound(tests, 'IDOR')) expect(name).toContain('BOLA')
  for (const name of namesFound(tests, 'XXE')) expect(name).toContain('XML')
  expect(namesFound(tests, 'no such weakness')).toEqual([])
})

test('blank text finds everything, and names of other scripts are searched too', () => {
  expect(namesFound(tests, '  ')).toHaveLength(tests.length)
  const greek = { id: 'X', name: 'Έλεγχος ταυτότητας', category: [], references: [] }
  expect(matchesSearch(greek, 'ταυτότ')).toBe(true)
})
