/**
 * `npm test`: the checks, then every test on the embedded store, then every test that touches a store again on a
 * PostgreSQL server. What the machine lacks is skipped loudly; with VIGIL_REQUIRE_ALL=1 a skip is a failure.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from './postgres.ts'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

const root = new URL('..', import.meta.url).pathname
const scratch = mkdtempSync(join(tmpdir(), 'vigil-test-'))
const requiresAll = process.env['VIGIL_REQUIRE_ALL'] === '1'

/** Test files whose text shows that they open a store or a server. */
function storeTests(): string[] {
  return ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => /store-fixture|harness/.test(readFileSync(path, 'utf8')))
      .map((path) => path.slice(root.length)),
  )
}

function runVitest(name: string, files: string[], env: Record<string, string | undefined>): Counts {
  const report = join(scratch, `${name}.json`)
  console.log(`\n== tests on the ${name} store`)
  const done = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...files,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } },
  )
  const result = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number
    numFailedTests: number
    numPendingTests: number
    numTodoTests: number
    numFailedTestSuites: number
    testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[]
  }
  const skipped = result.numPendingTests + result.numTodoTests
  for (const file of result.testResults) {
    for (const test of file.assertionResults) {
      if (test.status === 'pending' || test.status === 'skipped') console.log(`SKIPPED: ${test.fullName}`)
    }
  }
  const failed = Math.max(result.numFailedTests, done.status === 0 ? 0 : 1)
  return { passed: result.numPassedTests, failed, skipped }
}

async function main(): Promise<number> {
  const total: Counts = { passed: 0, failed: 0, skipped: 0 }
  const add = (counts: Counts): void => {
    total.passed += counts.passed
    total.failed += counts.failed
    total.skipped += counts.skipped
  }
  const check = spawnSync(process.execPath, [join(root, 'scripts/check.ts')], { cwd: root, stdio: 'inherit' })
  add({ passed: check.status === 0 ? 1 : 0, failed: check.status === 0 ? 0 : 1, skipped: 0 })
  add(runVitest('embedded', [], { VIGIL_TEST_DATABASE_URL: undefined }))
  const server = await startPostgres()
  if (server === null) {
    const count = storeTests().length
    console.log(
      `\nSKIPPED: ${count} test files on PostgreSQL, because no PostgreSQL server is installed here.`,
    )
    console.log('Install it (Debian: apt-get install postgresql) or set VIGIL_TEST_DATABASE_URL to run them.')
    add({ passed: 0, failed: 0, skipped: count })
  } else {
    try {
      add(runVitest('postgresql', storeTests(), { VIGIL_TEST_DATABASE_URL: server.url }))
    } finally {
      server.stop()
    }
  }
  rmSync(scratch, { recursive: true, force: true })
  if (requiresAll && total.skipped > 0) {
    console.log(`\n${total.skipped} tests were skipped, and VIGIL_REQUIRE_ALL=1 allows none.`)
    total.failed += 1
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
  return total.failed === 0 ? 0 : 1
}

process.exitCode = await main()
