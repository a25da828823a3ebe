import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { carryOutSteps, type Stage, stageEnvironment } from './container-steps.ts'
import { isRegistryReachable } from './registry.ts'
import { until } from './until.ts'

const root = join(import.meta.dirname, '..')
const containerfile = readFileSync(join(root, 'deploy/Containerfile'), 'utf8')

describe.skipIf(!isRegistryReachable('the steps of the Containerfile'))(
  'the steps of the Containerfile',
  () => {
    let scratch: string
    let stage: Stage

    beforeAll(() => {
      scratch = mkdtempSync(join(tmpdir(), 'vigil-container-test-'))
      const context = join(scratch, 'context')
      const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
        cwd: root,
        encoding: 'utf8',
      })
      for (const path of files.trim().split('\n')) {
        mkdirSync(dirname(join(context, path)), { recursive: true })
        cpSync(join(root, path), join(context, path))
      }
      stage = carryOutSteps(containerfile, context, scratch)
    }, 900_000)

    afterAll(() => rmSync(scratch, { recursive: true, force: true }))

    test('leave a server that starts and meets its health check, and ends at a signal', async () => {
      expect(stage.user).not.toBe('root')
      const environment = { ...stageEnvironment(stage), VIGIL_HOST: '127.0.0.1', VIGIL_PORT: '0' }
      const [program = '', ...args] = stage.command
      const child = spawn(program, args, {
        cwd: stage.root,
        env: environment,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let text = ''
      child.stdout.on('data', (data: Buffer) => {
        text += data.toString()
      })
      const ended = new Promise((resolve) => child.once('exit', resolve))
      try {
        await until('the server is ready', () => /ready at \S+/.test(text), { ms: 120_000 })
        const port = new URL(/ready at (\S+)/.exec(text)![1]!).port
        const [check = '', ...of] = stage.healthcheck.map((word) => word.replace(':9090/', `:${port}/`))
        expect(spawnSync(check, of, { env: environment, encoding: 'utf8' })).toMatchObject({ status: 0 })
        const none = of.map((word) => word.replace(`:${port}/`, ':1/'))
        expect(spawnSync(check, none, { env: environment, encoding: 'utf8' })).toMatchObject({ status: 1 })
      } finally {
        child.kill('SIGTERM')
      }
      expect(await ended).toBe(0)
    }, 240_000)
  },
)
