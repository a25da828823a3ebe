import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureBuilt } from '../scripts/built-program.ts'
import { isRegistryReachable } from './registry.ts'
import { environmentWithoutSettings } from './start-program.ts'
import { until } from './until.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const MEGABYTE = 2 ** 20
const isReachable = isRegistryReachable('the installation of the packed program')

let scratch: string
let program: string

beforeAll(async () => {
  if (!isReachable) return
  scratch = mkdtempSync(join(tmpdir(), 'vigil-package-test-'))
  await ensureBuilt()
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', scratch], { cwd: root })
  const archive = readdirSync(scratch).find((name) => name.endsWith('.tgz'))!
  await run('npm', ['init', '-y'], { cwd: scratch })
  const flags = ['--omit=optional', '--ignore-scripts', '--no-save', '--prefer-offline']
  await run('npm', ['install', ...flags, join(scratch, archive)], { cwd: scratch })
  program = join(scratch, 'node_modules/.bin/vigil')
}, 300_000)

afterAll(() => {
  if (scratch) rmSync(scratch, { recursive: true, force: true })
})

function vigil(...args: string[]) {
  return run(program, args, { cwd: scratch, env: environmentWithoutSettings() })
}

describe.skipIf(!isReachable)('the packed program, installed without optional parts', () => {
  test('takes at most 120 MB', async () => {
    const { stdout } = await run('du', ['-sk', join(scratch, 'node_modules')])
    expect((Number.parseInt(stdout, 10) * 1024) / MEGABYTE).toBeLessThan(120)
  })

  test('brings demo, docs, templates and dashboard, and the licenses of what was compiled in', async () => {
    const home = join(scratch, 'node_modules/vigil-api')
    expect(readdirSync(home)).toEqual(expect.arrayContaining(['dist', 'docs', 'templates', 'README.md']))
    expect(readFileSync(join(home, 'dist/packages/LICENSES.txt'), 'utf8')).toContain('puppeteer-core')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    expect((await vigil('--version')).stdout).toBe(`vigil ${version}\n`)
  })

  test('says what is missing and how to add it', async () => {
    const { stdout } = await vigil('doctor', '--port', '0')
    expect(stdout).toMatch(/Dashboard: built/)
    expect(stdout).toMatch(/Fonts: .*unifontex.* without --omit=optional/)
    expect(stdout).toMatch(/Countries: .* without --omit=optional/)
  })

  test('runs with the settings of a server that save memory, and ends at a signal', async () => {
    const child = spawn(program, ['start', '--port', '0'], {
      cwd: scratch,
      env: environmentWithoutSettings(),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.on('data', (data: Buffer) => {
      text += data.toString()
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    try {
      await until('the server is ready', () => /ready at \S+/.test(text))
      const command = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')
      expect(command).toContain('--heap-growing-percent=70')
      const environment = readFileSync(`/proc/${child.pid}/environ`, 'utf8')
      expect(environment).toContain('MALLOC_MMAP_THRESHOLD_=65536')
      const address = /ready at (\S+)/.exec(text)![1]!
      expect((await fetch(`${address}/`)).headers.get('content-type')).toContain('text/html')
    } finally {
      child.kill('SIGTERM')
    }
    expect(await ended).toBe(0)
  })

  test('proves findings in the demo', async () => {
    const { stdout } = await vigil('demo', '--once', '--port', '0')
    expect(stdout).toContain('first findings proven:')
    expect(stdout).toContain('run COMPLETED')
  }, 600_000)
})
