import { mkdtempSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { unpackTar } from './unpack-tar.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-tar-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

interface Entry {
  readonly name: string
  readonly text?: string
  readonly kind?: string
  readonly link?: string
  readonly mode?: string
  readonly size?: number
}

function archiveOf(...entries: Entry[]): Buffer {
  const blocks = entries.flatMap(({ name, text = '', kind = '0', link = '', mode = '0000644', size }) => {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write(mode, 100)
    header.write((size ?? text.length).toString(8).padStart(11, '0'), 124)
    header.write(kind, 156)
    header.write(link, 157)
    header.write('ustar', 257)
    const body = Buffer.alloc(Math.ceil(text.length / 512) * 512)
    body.write(text)
    return [header, body]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

test('writes folders, files with their modes, and links', async () => {
  const archive = archiveOf(
    { name: 'lib/', kind: '5' },
    { name: 'lib/run.so', text: 'x'.repeat(700), mode: '0000755' },
    { name: 'lib/run.so.1', kind: '2', link: 'run.so' },
  )
  await unpackTar(archive, folder)
  expect(readFileSync(join(folder, 'lib/run.so'), 'utf8')).toHaveLength(700)
  expect(statSync(join(folder, 'lib/run.so')).mode & 0o777).toBe(0o755)
  expect(readlinkSync(join(folder, 'lib/run.so.1'))).toBe('run.so')
})

test.each([
  ['a name', { name: '../out', text: 'x' }],
  ['an absolute name', { name: '/tmp/vigil-out', text: 'x' }],
  ['a link', { name: 'link', kind: '2', link: '../../etc' }],
])('refuses %s that leads out of the folder', async (_what, entry) => {
  await expect(unpackTar(archiveOf(entry), folder)).rejects.toThrow('leads out of the folder')
})

test('refuses an archive that is cut off', async () => {
  await expect(unpackTar(archiveOf({ name: 'a', text: 'x', size: 9999 }), folder)).rejects.toThrow(
    'the archive ends within a',
  )
})
