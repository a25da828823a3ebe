import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { MARATHON, RARE_PROGRAM } from '../../scripts/test-files.ts'

/** Each SDK has tests of its own, in its own language. */
const sdks = [
  {
    folder: 'python',
    program: 'python3',
    version: ['--version'],
    run: ['-m', 'unittest', 'discover', '-s', 'tests'],
  },
  { folder: 'go', program: 'go', version: ['version'], run: ['test', './...'] },
]

test.for(sdks)(
  'the middleware for $folder passes its tests',
  { tags: [MARATHON, RARE_PROGRAM], timeout: 300_000 },
  ({ folder, program, version, run }, { skip }) => {
    if (spawnSync(program, version).status !== 0) {
      console.warn(`\nSKIPPED: the tests of sdk/${folder}, which need ${program}.\n`)
      skip()
    }
    const cwd = fileURLToPath(new URL(`../../sdk/${folder}`, import.meta.url))
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }
    const { status, stdout, stderr } = spawnSync(program, run, {
      cwd,
      env,
      encoding: 'utf8',
      timeout: 280_000,
    })
    expect(status, stdout + stderr).toBe(0)
  },
)
