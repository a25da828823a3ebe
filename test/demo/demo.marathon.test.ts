import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { startProgram } from '../start-program.ts'

const PROGRAM = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
let scratch: string
let demo: ChildProcess | null = null

afterEach(() => {
  demo?.kill('SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
})

test('the demo prints the number of findings as JSON while it still runs, for programs that continue with them', async () => {
  scratch = mkdtempSync(join(tmpdir(), 'vigil-demo-test-'))
  demo = startProgram(PROGRAM, ['demo', '--json', '--port', '0'], {
    env: { ...process.env, TMPDIR: scratch },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => demo!.once('close', resolve))
  const lines: string[] = []
  for await (const line of createInterface({ input: demo.stdout! })) if (lines.push(line) === 2) break
  const [{ address, apiKey }, { findings }] = lines.map((line) => JSON.parse(line))
  expect(findings).toBeGreaterThan(10)
  const answer = await fetch(`${address}/api/getAllCollectionsBasic`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: '{}',
  })
  expect(answer.status).toBe(200)
  demo.kill('SIGINT')
  expect(await ended).toBe(0)
  expect(
    existsSync(scratch) ? readdirSync(scratch).filter((name) => name.startsWith('vigil-demo-')) : [],
  ).toEqual([])
})
