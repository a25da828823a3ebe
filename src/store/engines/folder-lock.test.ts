import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { folderHolder, lockFolder } from './folder-lock.ts'

let folder: string
let parent: ChildProcess | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-lock-'))
})
afterEach(() => {
  parent?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

test('a folder that this process holds is held by nobody else', () => {
  const release = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(expect.objectContaining({ code: 'DATA_FOLDER_IN_USE' }))
  release()
  expect(folderHolder(folder)).toBeNull()
  lockFolder(folder)()
})

test.runIf(process.platform === 'linux')(
  'a killed process that nobody has waited for yet holds no folder',
  async () => {
    // The shell becomes a program that waits for no child.
    parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [said] = (await once(parent.stdout!, 'data')) as [Buffer]
    const pid = Number(String(said))
    const start = statOf(pid)[19]
    await expect.poll(() => statOf(pid)[0]).toBe('Z')
    writeFileSync(join(folder, 'vigil.lock'), JSON.stringify({ pid, start }))
    expect(folderHolder(folder)).toBeNull()
    lockFolder(folder)()
  },
)
