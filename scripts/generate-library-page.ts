/** The tests of the built-in library by the OWASP API Security Top 10, from their files. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseTemplate, type Template } from '../src/testing/index.ts'

const PAGE = 'docs/reference/test-library.md'
const TESTS = 'templates/tests'

/** Weaknesses of the OWASP API Security Top 10 of 2023. */
const TOP_TEN = [
  'Broken Object Level Authorization',
  'Broken Authentication',
  'Broken Object Property Level Authorization',
  'Unrestricted Resource Consumption',
  'Broken Function Level Authorization',
  'Unrestricted Access to Sensitive Business Flows',
  'Server Side Request Forgery',
  'Security Misconfiguration',
  'Improper Inventory Management',
  'Unsafe Consumption of APIs',
] as const

function readLibrary(root: string): { template: Template; folder: string }[] {
  const files = readdirSync(join(root, TESTS), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.yaml') && !file.endsWith('.cases.yaml'))
    .sort()
    .map((file) => {
      const { template } = parseTemplate(readFileSync(join(root, TESTS, file), 'utf8'), file)
      if (template === null) throw new Error(`${file} cannot be used`)
      return { template, folder: file.slice(0, -basename(file).length - 1) }
    })
}

/** Number of the Top 10 that a test names first among its tags; 0 for none. */
function numberOf({ info }: Template): number {
  const tag = info.tags.find((one) => /^API\d+:2023/.test(one))
  return tag === undefined ? 0 : Number.parseInt(tag.slice(3), 10)
}

/** The page. */
export function libraryPage(root: string): string {
  const tests = readLibrary(root)
  const spread = TOP_TEN.map((name, i) => {
    const own = tests.filter(({ template }) => numberOf(template) === i + 1)
    const folders = [...new Set(own.map(({ folder }) => folder))].sort()
    return `| API${i + 1} | ${name} | ${own.length} | ${folders.join(', ')} |`
  })
  const lists = TOP_TEN.map((name, i) => {
    const rows = tests
      .filter(({ template }) => numberOf(template) === i + 1)
      .map(
        ({ template: { id, info } }) =>
          `| \`${id}\` | ${info.name} | ${info.severity} | ${info.cwe.join(', ')} |`,
      )
    if (rows.length === 0) return ''
    return `\n## API${i + 1} ${name}\n\n| Test | Finds | Severity | CWE |\n|---|---|---|---|\n${rows.join('\n')}\n`
  })
  return `# Built-in tests

This page is generated from \`templates/tests\`: ${tests.length} tests, each with a remediation, a CWE and clauses of standards.

| | OWASP API Security Top 10 (2023) | Tests | Folders |
|---|---|---:|---|
${spread.join('\n')}
${lists.join('')}`
}

/** Paths of the files that are not what the library says. */
export function staleLibraryPage(root: string): string[] {
  let text = ''
  try {
    text = readFileSync(join(root, PAGE), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return text === libraryPage(root) ? [] : [PAGE]
}

/** Writes what is stale; @returns the paths written */
export function generateLibraryPage(root: string): string[] {
  const stale = staleLibraryPage(root)
  for (const path of stale) writeFileSync(join(root, path), libraryPage(root))
  return stale
}
