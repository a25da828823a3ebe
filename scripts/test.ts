/**
 * `npm test`: the checks, then every test on the embedded store, then every test that touches a store again on a
 * PostgreSQL server, but for those that drive a browser: what their pages and crawls ask of the store, others ask of it
 * on both. What the machine lacks is skipped loudly; with VIGIL_TEST_REQUIRE_ALL=1 a skip is a failure.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { startPostgres } from './postgres.ts'
import { testFiles } from './test-files.ts'

/** One pass over test files. Names of tests are `file > name`: a test for one engine is skipped in the other's pass. */
interface Pass {
  passed: string[]
  skipped: string[]
  failed: number
}

const root = new URL('..', import.meta.url).pathname
const scratch = mkdtempSync(join(tmpdir(), 'vigil-test-'))
const requiresAll = process.env['VIGIL_TEST_REQUIRE_ALL'] === '1'

const BROWSER_TESTS = ['test/browser/', 'test/crawler/']

/** Test files that open a store or a server. */
function storeTests(): string[] {
  return testFiles(root)
    .filter(({ opensStore, path }) => opensStore && !BROWSER_TESTS.some((folder) => path.startsWith(folder)))
    .map(({ path }) => path)
}

function runVitest(name: string, files: string[], env: Record<string, string | undefined>): Pass {
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
    numFailedTests: number
    testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[]
  }
  const pass: Pass = {
    passed: [],
    skipped: [],
    failed: Math.max(result.numFailedTests, done.status === 0 ? 0 : 1),
  }
  for (const file of result.testResults) {
    for (const test of file.assertionResults) {
      const title = `${relative(root, file.name)} > ${test.fullName}`
      if (test.status === 'passed') pass.passed.push(title)
      else if (test.status !== 'failed') pass.skipped.push(title)
    }
  }
  return pass
}

/** The pass on a PostgreSQL server; where none can be started, what it would have run counts as skipped. */
async function runOnPostgres(): Promise<Pass> {
  const files = storeTests()
  const server = await startPostgres()
  if (server === null) {
    console.log(`\nNo PostgreSQL server is installed here: ${files.length} test files are not run on one.`)
    console.log('Install it (Debian: apt-get install postgresql) or set VIGIL_TEST_DATABASE_URL to run them.')
    return { passed: [], skipped: files.map((file) => `${file}, on PostgreSQL`), failed: 0 }
  }
  try {
    return runVitest('postgresql', files, { VIGIL_TEST_DATABASE_URL: server.url })
  } finally {
    server.stop()
  }
}

async function main(): Promise<number> {
  // What Node compiled is needed again by all processes of the tests.
  process.env['NODE_COMPILE_CACHE'] ??= join(scratch, 'compiled')
  const check = spawnSync(process.execPath, [join(root, 'scripts/check.ts')], { cwd: root, stdio: 'inherit' })
  const embedded = runVitest('embedded', [], { VIGIL_TEST_DATABASE_URL: undefined })
  const passes = [embedded, await runOnPostgres()]
  rmSync(scratch, { recursive: true, force: true })
  const ran = new Set(passes.flatMap((pass) => pass.passed))
  const skipped = [...new Set(passes.flatMap((pass) => pass.skipped))].filter((title) => !ran.has(title))
  for (const title of skipped) console.log(`SKIPPED: ${title}`)
  const passed = passes.reduce((sum, pass) => sum + pass.passed.length, 0)
  let failed = passes.reduce((sum, pass) => sum + pass.failed, check.status === 0 ? 0 : 1)
  if (requiresAll && skipped.length > 0) {
    console.log('\nVIGIL_TEST_REQUIRE_ALL=1 allows no skipped test.')
    failed += 1
  }
  console.log(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped`)
  return failed === 0 ? 0 : 1
}

process.exitCode = await main()
