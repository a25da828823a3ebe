/**
 * `npm test`: the checks, then every test but the marathons on one store: on a PostgreSQL server where one can be
 * started, else on the embedded store. After a pass on PostgreSQL, the tests of what the stores do differently run on the
 * embedded store, too. `npm run test:all` adds the marathons to both passes; with `-- --both-stores` every test that uses
 * a store runs on both.
 *
 * What the machine lacks is skipped loudly; with VIGIL_TEST_REQUIRE_ALL=1 a skip is a failure, but for programs that no
 * package of Debian brings. With VIGIL_TEST_RETRIES=1 a
 * test that failed is tried again, and listed as FLAKY if it passes then. See docs/testing.md.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { startPostgres } from './postgres.ts'
import { MARATHON, RARE_PROGRAM, type TestFile, testFiles } from './test-files.ts'

/** What ran. Names of tests are `file > name`: a test for one store is skipped in the other's pass. */
interface Pass {
  passed: string[]
  skipped: string[]
  /** Skipped because a rare program is missing. */
  lacking: string[]
  /** A line each: the test, the pass and the first line of its error. */
  failed: string[]
  /** As {@link failed}: passed when tried again. */
  flaky: string[]
}

/** What the JSON report of vitest tells of one file. */
interface FileResult {
  name: string
  status: string
  /** Why the file failed as a whole. */
  message?: string
  assertionResults: { status: string; fullName: string; failureMessages: string[]; tags: string[] }[]
}

/** One run of vitest. */
interface Run {
  readonly name: string
  readonly files: readonly TestFile[]
  /** Null: the embedded store. */
  readonly databaseUrl: string | null
}

const root = new URL('..', import.meta.url).pathname
const scratch = mkdtempSync(join(tmpdir(), 'vigil-test-'))
const requiresAll = process.env['VIGIL_TEST_REQUIRE_ALL'] === '1'
/** How often a test that failed is tried again. */
const retries = Number(process.env['VIGIL_TEST_RETRIES'] ?? '0')
/** More tests than these that pass only when tried again are a failure. */
const MAX_FLAKY = 5
const runsAll = process.argv.includes('--all')
const isOnBothStores = process.argv.includes('--both-stores')

/** Runs a program with the output of this process, or keeps the output until it has ended. */
function run(args: readonly string[], env: NodeJS.ProcessEnv, keepsOutput: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    const stdio = keepsOutput ? 'pipe' : 'inherit'
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', stdio, stdio] })
    const output: Buffer[] = []
    child.stdout?.on('data', (part: Buffer) => output.push(part))
    child.stderr?.on('data', (part: Buffer) => output.push(part))
    child.on('error', reject)
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(output))
      resolve(code ?? 1)
    })
  })
}

async function runVitest({ name, files, databaseUrl }: Run, keepsOutput: boolean): Promise<Pass> {
  const pass: Pass = { passed: [], skipped: [], lacking: [], failed: [], flaky: [] }
  if (files.length === 0) return pass
  const report = join(scratch, `${name.replaceAll(' ', '-')}.json`)
  const { VIGIL_TEST_DATABASE_URL: given, ...env } = process.env
  if (databaseUrl !== null) env['VIGIL_TEST_DATABASE_URL'] = databaseUrl
  // Codes of colours are noise in what is not a terminal, and logs are cut by length.
  if (!process.stdout.isTTY) env['NO_COLOR'] = '1'
  // A server of others keeps no database of this run.
  if (databaseUrl === null || given === undefined) env['VIGIL_TEST_RUN_FOLDER'] = scratch
  if (!keepsOutput) console.log(`\n== ${name}: ${files.length} files`)
  const started = performance.now()
  const code = await run(
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=dot',
      '--reporter=json',
      `--retry=${retries}`,
      ...(runsAll ? [] : [`--tags-filter=!${MARATHON}`]),
      `--outputFile.json=${report}`,
      ...files.map(({ path }) => path),
    ],
    env,
    keepsOutput,
  )
  console.log(`== ${name} ended after ${Math.round((performance.now() - started) / 1000)} s`)
  if (!existsSync(report)) {
    return { ...pass, failed: [`${name}: ended with ${code} and without a report`] }
  }
  const result = JSON.parse(readFileSync(report, 'utf8')) as { testResults: FileResult[] }
  for (const file of result.testResults) {
    const path = relative(root, file.name)
    for (const test of file.assertionResults) {
      const title = `${path} > ${test.fullName}`
      const isLeftOut = test.tags.includes(MARATHON) && !runsAll
      const error = `${title} (${name}): ${firstLine(test.failureMessages[0])}`
      if (test.status === 'failed') pass.failed.push(error)
      else if (test.status === 'passed') {
        pass.passed.push(title)
        if (test.failureMessages.length > 0) pass.flaky.push(error)
      } else if (isLeftOut) continue
      else if (test.tags.includes(RARE_PROGRAM)) pass.lacking.push(title)
      else pass.skipped.push(title)
    }
    if (file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed')) {
      pass.failed.push(`${path} (${name}): ${firstLine(file.message)}`)
    }
  }
  if (code !== 0 && pass.failed.length === 0) {
    pass.failed.push(`${name}: ended with ${code}, see the errors outside of tests above`)
  }
  return pass
}

function firstLine(text: string | undefined): string {
  return text?.split('\n', 1)[0] ?? ''
}

/** Whether a file runs on the embedded store after its pass on PostgreSQL. */
function isRepeated({ usesStore, differsByStore, marathonsDiffer }: TestFile): boolean {
  if (isOnBothStores) return usesStore
  return runsAll ? marathonsDiffer : differsByStore
}

/**
 * Runs that follow one another in each lane; the lanes run beside each other, since tests that wait leave the processors
 * to others. After PostgreSQL comes the embedded store: with few files in the lane that waits, with many in both.
 */
function planLanes(databaseUrl: string | null): Run[][] {
  const files = testFiles(root).filter(({ isMarathon }) => runsAll || !isMarathon)
  const waits = ({ kind }: TestFile): boolean => kind === 'waiting'
  const pass = (name: string, url: string | null, some: readonly TestFile[]): [Run, Run] => [
    { name: `working tests on ${name}`, files: some.filter((file) => !waits(file)), databaseUrl: url },
    { name: `waiting tests on ${name}`, files: some.filter(waits), databaseUrl: url },
  ]
  if (databaseUrl === null) return pass('the embedded store', null, files).map((run) => [run])
  const [working, waiting] = pass('PostgreSQL', databaseUrl, files)
  const repeated = files.filter(isRepeated)
  if (!runsAll && !isOnBothStores)
    return [[working], [waiting, { name: 'tests on the embedded store', files: repeated, databaseUrl: null }]]
  const [again, waitingAgain] = pass('the embedded store', null, repeated)
  return [
    [working, again],
    [waiting, waitingAgain],
  ]
}

/** The output of the first lane comes as it is written, that of the others when a run has ended. */
async function runLanes(lanes: readonly (readonly Run[])[]): Promise<Pass[]> {
  const passes = lanes.map(async (runs, at) => {
    const done: Pass[] = []
    for (const one of runs) done.push(await runVitest(one, at > 0))
    return done
  })
  return (await Promise.all(passes)).flat()
}

async function main(): Promise<number> {
  // What Node compiled is needed again by all processes of the tests.
  process.env['NODE_COMPILE_CACHE'] ??= join(scratch, 'compiled')
  const check = await run([join(root, 'scripts/check.ts')], process.env, false)
  const server = await startPostgres()
  if (server === null) {
    console.log('\nNo PostgreSQL server is installed here: all tests run on the embedded store.')
    console.log(
      'Install it (Debian: apt-get install postgresql) or set VIGIL_TEST_DATABASE_URL to run them on one.',
    )
  }
  const passes: Pass[] = []
  try {
    passes.push(...(await runLanes(planLanes(server?.url ?? null))))
  } finally {
    server?.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
  const ran = new Set(passes.flatMap((pass) => pass.passed))
  const skipped = [...new Set(passes.flatMap((pass) => pass.skipped))].filter((title) => !ran.has(title))
  for (const title of skipped) console.log(`SKIPPED: ${title}`)
  const lacking = new Set(passes.flatMap((pass) => pass.lacking))
  for (const title of lacking) console.log(`SKIPPED, its program is not installed here: ${title}`)
  const passed = passes.reduce((sum, pass) => sum + pass.passed.length, 0)
  const failed = passes.flatMap((pass) => pass.failed)
  if (check !== 0) failed.unshift('npm run check: see its output above')
  if (requiresAll && skipped.length > 0) failed.push('VIGIL_TEST_REQUIRE_ALL=1 allows no skipped test')
  const flaky = passes.flatMap((pass) => pass.flaky)
  if (flaky.length > MAX_FLAKY) failed.push(`${flaky.length} tests are flaky, at most ${MAX_FLAKY} may be`)
  // Again at the end: the errors themselves may stand thousands of lines above.
  console.log('')
  for (const line of flaky) console.log(`FLAKY: ${line}`)
  for (const line of failed) console.log(`FAILED: ${line}`)
  console.log(`${passed} passed, ${failed.length} failed, ${skipped.length + lacking.size} skipped`)
  return failed.length === 0 ? 0 : 1
}

process.exitCode = await main()
