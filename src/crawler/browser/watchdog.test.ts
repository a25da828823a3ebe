import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { watchOver } from './watchdog.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-watchdog-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A process with another one below it, in its own process group, as a browser is; both are there when it resolves. */
async function startGroup(): Promise<{ child: ChildProcess; ended: Promise<NodeJS.Signals | null> }> {
  const child = spawn('/bin/sh', ['-c', 'sleep 600 >/dev/null & echo; exec sleep 600'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('exit', (_code, signal) => resolve(signal)),
  )
  await once(child.stdout!, 'data')
  return { child, ended }
}

/** A descriptor to give away, and what ends it. */
function lifeline(name: string): { end: number; cut(): void } {
  const path = join(folder, name)
  execFileSync('mkfifo', [path])
  const held = openSync(path, 'r+')
  const end = openSync(path, 'r')
  return { end, cut: () => closeSync(held) }
}

describe.skipIf(process.platform === 'win32')('a watchdog', () => {
  test('kills the group when its lifeline is cut', async () => {
    const { child, ended } = await startGroup()
    const { end, cut } = lifeline('cut')
    const watchdog = watchOver(child.pid!, end)
    closeSync(end)
    cut()
    expect(await ended).toBe('SIGKILL')
    await watchdog?.dismiss()
  })

  test('kills nobody after it was dismissed', async () => {
    const { child, ended } = await startGroup()
    const { end, cut } = lifeline('dismissed')
    const watchdog = watchOver(child.pid!, end)
    closeSync(end)
    await watchdog?.dismiss()
    cut()
    child.kill('SIGTERM')
    expect(await ended).toBe('SIGTERM')
    process.kill(-child.pid!, 'SIGKILL')
  })
})
