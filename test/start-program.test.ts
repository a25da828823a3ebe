import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startCommand } from './cli-process.ts'
import { killPrograms } from './start-program.ts'

/** Takes connections and never answers. */
let silent: Server
let held: Socket[]
let scratch: string

beforeEach(async () => {
  held = []
  scratch = mkdtempSync(join(tmpdir(), 'vigil-programs-'))
  silent = createServer((socket) => {
    held.push(socket.resume().on('error', () => {}))
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
})

afterEach(async () => {
  // A program that outlived its test sees its connection end, and ends.
  for (const socket of held) socket.destroy()
  silent.close()
  rmSync(scratch, { recursive: true, force: true })
})

/** A command that waits for an answer of the silent server. */
function waiting(): string[] {
  const server = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  return ['crawler', '--server', server, '--key', 'k'.repeat(40), '--data-dir', scratch]
}

/** A process that runs a line of a module. */
function starter(line: string): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', line], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

test('a command ends when the process that started it is killed', async () => {
  const helper = JSON.stringify(new URL('cli-process.ts', import.meta.url).href)
  const killed = starter(`import { startCommand } from ${helper}; startCommand(${JSON.stringify(waiting())})`)
  const [connection] = (await once(silent, 'connection')) as [Socket]
  const gone = once(connection, 'close')
  killed.kill('SIGKILL')
  await gone
})

test('commands that a failed test left running are ended together', { tags: ['marathon'] }, async () => {
  const commands = [startCommand(waiting()), startCommand(waiting())]
  await expect.poll(() => held.length).toBe(2)
  await killPrograms()
  expect(commands.map(({ process }) => process.signalCode)).toEqual(['SIGKILL', 'SIGKILL'])
})

test('a PostgreSQL server of tests ends when the process that started it is killed', {
  tags: ['marathon'],
}, async ({ skip }) => {
  const helper = JSON.stringify(new URL('../scripts/postgres.ts', import.meta.url).href)
  const killed = starter(
    `import { startPostgres } from ${helper}
     delete process.env['VIGIL_TEST_DATABASE_URL']
     const server = await startPostgres()
     console.log(server?.url ?? 'none')
     setInterval(() => {}, 1000)`,
  )
  const [line] = (await once(killed.stdout!, 'data')) as [Buffer]
  const url = line.toString().trim()
  killed.kill('SIGKILL')
  if (url === 'none') return skip('no PostgreSQL server is installed here')
  await expect.poll(() => isListening(Number(new URL(url).port))).toBe(false)
})

async function isListening(port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(true))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(false)))
  })
}
