import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { unpackTar } from 'modern-tar/fs'

/** Marks an unpacked browser, and says where its fonts are. */
export const FONTS_FILE = 'vigil-fonts.conf'
const PROGRAM = 'chromium'
const ARCHIVES = ['al2023.tar.br', 'swiftshader.tar.br', 'fonts.tar.br']

/** The program in the folder of an unpacked browser. */
export function unpackedProgram(folder: string): string {
  return join(folder, PROGRAM)
}

/**
 * Unpacks the browser of the package @sparticuz/chromium unless that was done before. It is unpacked beside the folder
 * and renamed: several processes may do it at once, and a killed one leaves no half.
 *
 * @param bin folder of the package with its compressed files
 * @param folder where the browser is to stand
 */
export async function unpackPackage(bin: string, folder: string): Promise<void> {
  if (existsSync(unpackedProgram(folder))) return
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
  const fresh = await mkdtemp(`${folder}-`)
  try {
    for (const archive of ARCHIVES) {
      if (!existsSync(join(bin, archive))) continue
      await pipeline(createReadStream(join(bin, archive)), createBrotliDecompress(), unpackTar(fresh))
    }
    await pipeline(
      createReadStream(join(bin, `${PROGRAM}.br`)),
      createBrotliDecompress(),
      createWriteStream(unpackedProgram(fresh), { mode: 0o755 }),
    )
    await writeFile(join(fresh, FONTS_FILE), fontsConfiguration(join(folder, 'fonts')))
    await rename(fresh, folder)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    if (!existsSync(unpackedProgram(folder))) throw error
  }
}

function fontsConfiguration(folder: string): string {
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    `<dir>${folder.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</dir>`,
    '<dir>/usr/share/fonts</dir>',
    '<cachedir prefix="xdg">fontconfig</cachedir>',
    '</fontconfig>',
    '',
  ].join('\n')
}
