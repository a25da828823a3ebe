import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { TargetScope } from '../../http/sender/index.ts'
import { launchBrowser } from './running-browser.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-launch-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A program in the place of a browser; it notes its process id. */
function program(name: string, body: string): { path: string; processId: () => number } {
  const path = join(folder, name)
  const noted = join(folder, `${name}.pid`)
  writeFileSync(path, `#!/bin/sh\necho $$ > '${noted}'\n${body}\n`, { mode: 0o700 })
  return { path, processId: () => (existsSync(noted) ? Number(readFileSync(noted, 'utf8')) : 0) }
}

function launch(path: string): ReturnType<typeof launchBrowser> {
  const start = new URL('http://127.0.0.1:9')
  const scope = new TargetScope([start.host])
  const found = { path, environment: {}, origin: 'setting' as const }
  return launchBrowser({ found, hosts: [start], scope, verifiesTls: true, launchMs: 1_000 })
}

describe('a browser that does not start', () => {
  test('is given up in time, and ended, when it keeps silent', async () => {
    const silent = program('silent', 'exec sleep 60')
    await expect(launch(silent.path)).rejects.toMatchObject({
      code: 'BROWSER_TIMED_OUT',
      details: { call: 'launch' },
    })
    await expect
      .poll(() => {
        try {
          return process.kill(silent.processId(), 0)
        } catch {
          return false
        }
      })
      .toBe(false)
  })

  test('is reported at once when it is killed, so that another one can be started', async () => {
    const killed = program('killed', 'exec sleep 60')
    const launching = launch(killed.path)
    launching.catch(() => {}) // looked at below
    await expect.poll(() => killed.processId()).toBeGreaterThan(0)
    process.kill(killed.processId(), 'SIGKILL')
    const killedMs = performance.now()
    await expect(launching).rejects.toMatchObject({ code: 'BROWSER_GONE', details: { call: 'launch' } })
    expect(performance.now() - killedMs).toBeLessThan(900)
  })

  test('is reported with its reason when it exits at once', async () => {
    const broken = program(
      'broken',
      'echo "error while loading shared libraries: libnss3.so: no" >&2; exit 127',
    )
    await expect(launch(broken.path)).rejects.toMatchObject({
      code: 'BROWSER_UNUSABLE',
      details: { reason: 'the system lacks libnss3.so' },
    })
  })
})
