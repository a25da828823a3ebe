import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCli } from '../../test/cli-process.ts'
import { installBrowser } from '../app/index.ts'
import { browser } from './browser.ts'

const PROGRAM = '#!/bin/sh\necho headless\n'
const hasUnzip = (() => {
  try {
    execFileSync('unzip', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    console.warn('SKIPPED: the installation of a browser from a mirror. The program unzip is not installed.')
    return false
  }
})()

let scratch: string
let mirror: Server
let asked: string[]
let archive: Buffer
let outerCache: string | undefined

beforeEach(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'vigil-browser-test-'))
  outerCache = process.env['XDG_CACHE_HOME']
  process.env['XDG_CACHE_HOME'] = scratch
  asked = []
  mirror = createServer((request, response) => {
    asked.push(request.url!)
    const folder = /\/(chrome-headless-shell-[^/]+)\.zip$/.exec(request.url!)![1]!
    archive = zipOf(`${folder}/chrome-headless-shell`, PROGRAM)
    response.end(archive)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => mirror.once('listening', resolve))
})

afterEach(() => {
  if (outerCache === undefined) delete process.env['XDG_CACHE_HOME']
  else process.env['XDG_CACHE_HOME'] = outerCache
  mirror.close()
  rmSync(scratch, { recursive: true, force: true })
})

function address(): string {
  return `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/builds`
}

/** An archive with one program in it, not compressed (APPNOTE 4.3). */
function zipOf(name: string, text: string): Buffer {
  const data = Buffer.from(text)
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(0x21, 8)
  fields.writeUInt32LE(crc32(data), 10)
  fields.writeUInt32LE(data.length, 14)
  fields.writeUInt32LE(data.length, 18)
  fields.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data])
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE((0o100755 << 16) >>> 0, 6)
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), fields, rest, Buffer.from(name)])
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(local.length, 12)
  return Buffer.concat([local, central, Buffer.from('PK\x05\x06'), end])
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function note(): unknown {
  return JSON.parse(readFileSync(join(scratch, 'vigil/browsers/installed.json'), 'utf8'))
}

describe.skipIf(!hasUnzip)('from a mirror', () => {
  test('the browser is downloaded, checked, unpacked and noted', async () => {
    // What the mirror sends depends on the platform, so the checksum is that of a first download.
    const refused = await runCli(['browser', 'install', '--mirror', address(), '--sha256', 'a'.repeat(64)])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('Integrity check failed')
    expect(readdirSync(join(scratch, 'vigil/browsers'))).toEqual([])

    const sum = sha256(archive)
    const { code, stdout, stderr } = await runCli([
      ...['browser', 'install', '--mirror', address(), '--sha256', sum, '--version', '1.2.3'],
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Chrome 1.2.3 is installed:\n' })
    expect(asked.at(-1)).toMatch(/^\/builds\/1\.2\.3\/[\w-]+\/chrome-headless-shell-[\w-]+\.zip$/)
    const path = stdout.trim()
    expect(readFileSync(path, 'utf8')).toBe(PROGRAM)
    expect(statSync(path).mode & 0o100).toBe(0o100)
    expect(note()).toEqual({ path, version: '1.2.3' })
  })

  test('the browser that was installed before is replaced by a complete one only', async () => {
    const order = { mirror: address(), sha256: null, progress: () => {} }
    const first = await installBrowser({ ...order, version: '1.0' })

    const refused = installBrowser({ ...order, version: '2.0', sha256: 'a'.repeat(64) })
    await expect(refused).rejects.toMatchObject({ code: 'BROWSER_NOT_INSTALLED' })
    expect(note()).toEqual(first)
    expect(readFileSync(first.path, 'utf8')).toBe(PROGRAM)

    const second = await installBrowser({ ...order, version: '2.0' })
    expect(note()).toEqual(second)
    expect(readFileSync(second.path, 'utf8')).toBe(PROGRAM)
    expect(existsSync(first.path)).toBe(false)
    expect(readdirSync(join(scratch, 'vigil/browsers'))).toHaveLength(2)
  })
})

test('a mirror that does not answer is reported, and nothing is left', async () => {
  const args = ['install', '--mirror', address(), '--sha256', 'a'.repeat(64)]
  mirror.close()
  await expect(browser.run(args)).rejects.toMatchObject({ code: 'BROWSER_NOT_INSTALLED' })
  expect(existsSync(join(scratch, 'vigil/browsers/installed.json'))).toBe(false)
})

test.each([
  [[], 'takes install or path'],
  [['install', '--sha256', 'abc'], '64 hexadecimal digits'],
  [['install', '--mirror', 'ftp://builds.example'], 'http or https URL'],
  [['install', '--mirror', 'http://127.0.0.1:1'], 'needs --sha256'],
  [['install', '--version', '../..'], 'build number'],
])('vigil browser %j is refused before anything is sent', async (args, reason) => {
  await expect(browser.run(args)).rejects.toMatchObject({
    code: 'BAD_COMMAND',
    details: { reason: expect.stringContaining(reason) },
  })
})
