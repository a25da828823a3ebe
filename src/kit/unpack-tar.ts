import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'

const BLOCK = 512

/**
 * Writes what a tar archive holds (POSIX ustar): folders, files and symbolic links. Other kinds of entries are left out.
 *
 * @throws Error when an entry leads out of the folder, or the archive is cut off
 */
export async function unpackTar(archive: Uint8Array, folder: string): Promise<void> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK)
    const name = entryName(header)
    if (name === '') break
    const size = Number.parseInt(textAt(header, 124, 12), 8) || 0
    const start = at + BLOCK
    if (start + size > bytes.length) throw new Error(`the archive ends within ${name}`)
    await writeEntry(folder, name, header, bytes.subarray(start, start + size))
    at = start + Math.ceil(size / BLOCK) * BLOCK
  }
}

async function writeEntry(folder: string, name: string, header: Buffer, content: Buffer): Promise<void> {
  const path = resolve(folder, name)
  if (!isInside(folder, path)) throw new Error(`${name} leads out of the folder`)
  const kind = textAt(header, 156, 1)
  if (kind === '5') {
    await mkdir(path, { recursive: true })
  } else if (kind === '0' || kind === '') {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
    await chmod(path, (Number.parseInt(textAt(header, 100, 8), 8) || 0o644) & 0o755)
  } else if (kind === '2') {
    const target = textAt(header, 157, 100)
    if (!isInside(folder, resolve(dirname(path), target))) throw new Error(`${name} leads out of the folder`)
    await mkdir(dirname(path), { recursive: true })
    await symlink(target, path)
  }
}

function entryName(header: Buffer): string {
  const prefix = textAt(header, 257, 5) === 'ustar' ? textAt(header, 345, 155) : ''
  const name = textAt(header, 0, 100)
  return prefix === '' ? name : join(prefix, name)
}

function textAt(header: Buffer, start: number, length: number): string {
  const part = header.subarray(start, start + length)
  const end = part.indexOf(0)
  return part
    .subarray(0, end < 0 ? length : end)
    .toString('utf8')
    .trim()
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path)
}
