import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../server-process.ts'
import { startProgram } from '../start-program.ts'

const PROGRAM = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
let scratch: string
let demo: ChildProcess | null = null

afterEach(() => {
  demo?.kill('SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
})

test('the demo proves findings, lets people sign in as it says, and ends with all it started at Ctrl-C', async () => {
  scratch = mkdtempSync(join(tmpdir(), 'vigil-demo-test-'))
  const port = await freePort()
  demo = startProgram(PROGRAM, ['demo', '--port', String(port)], {
    env: { ...process.env, TMPDIR: scratch },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => demo!.once('close', resolve))
  let text = ''
  await new Promise<void>((resolve, reject) => {
    demo!.stdout!.on('data', (data: Buffer) => {
      text += data.toString()
      if (/first findings proven:\n[^\n]+\n/.test(text)) resolve()
    })
    void ended.then((code) => reject(new Error(`the demo ended with ${code}: ${text}`)))
  })
  expect(Number(/\[([\d.]+) s\] first findings/.exec(text)![1])).toBeLessThan(300)
  const [, email, password] = /sign in: (\S+) \/ (.+)/.exec(text)!
  const signIn = await fetch(`http://127.0.0.1:${port}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: email, password }),
  })
  expect(signIn.status).toBe(200)
  const key = /API key: (\S+)/.exec(text)![1]!
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/api/getAllCollectionsBasic`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: '{}',
    })
  expect((await ask()).status).toBe(200)
  demo.kill('SIGINT')
  expect(await ended).toBe(0)
  expect(text).toContain('Ended; nothing is left.')
  await expect(ask()).rejects.toThrow()
  expect(
    existsSync(scratch) ? readdirSync(scratch).filter((name) => name.startsWith('vigil-demo-')) : [],
  ).toEqual([])
})
