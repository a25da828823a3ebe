import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import * as fontkit from 'fontkit'
import { sfntOfWoff } from './sfnt.ts'
import type { TextStyle } from './theme.ts'

const packages = createRequire(import.meta.url)

/** One file of a font: a part of its characters. */
interface FontFile {
  /** Name under which the document knows it. */
  readonly key: string
  readonly path: string
}

const SANS_PARTS = [
  'latin',
  'latin-ext',
  'cyrillic',
  'cyrillic-ext',
  'greek',
  'greek-ext',
  'vietnamese',
  'devanagari',
]
const MONO_PARTS = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese']

/** Packages of fonts that an installation may leave out: the characters of their scripts are marked then. */
const OPTIONAL = ['noto-sans-arabic', 'noto-sans-hebrew', 'unifontex']

/** The folder of a package of fonts; null for an optional one that is not installed. */
function folderOf(name: string): string | null {
  try {
    return dirname(packages.resolve(`@fontsource/${name}/package.json`))
  } catch (error) {
    if (!OPTIONAL.includes(name) || (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    return null
  }
}

/** Packages of fonts that are not installed. */
export function missingFonts(): string[] {
  return OPTIONAL.filter((name) => folderOf(name) === null).map((name) => `@fontsource/${name}`)
}

function filesOf(name: string, parts: readonly string[], weight: number): FontFile[] {
  const folder = folderOf(name)
  if (folder === null) return []
  return parts.map((part) => ({
    key: `${name}-${part}-${weight}`,
    path: join(folder, 'files', `${name}-${part}-${weight}-normal.woff`),
  }))
}

/** Right-to-left scripts have their own fonts; both faces use them. */
function sharedFiles(weight: number): FontFile[] {
  return [
    ...filesOf('noto-sans-arabic', ['arabic'], weight),
    ...filesOf('noto-sans-hebrew', ['hebrew'], weight),
  ]
}

/** Every other character there is, in plain dots: East Asian scripts, emoji, signs. */
function lastFiles(): FontFile[] {
  return filesOf('unifontex', ['latin'], 400).map((file) => ({ ...file, key: 'unifontex' }))
}

/** The files of a face in the order in which they are asked for a character. */
function filesOfFace(face: TextStyle['face']): FontFile[] {
  const sans = (weight: number): FontFile[] => [
    ...filesOf('noto-sans', SANS_PARTS, weight),
    ...sharedFiles(weight),
  ]
  if (face === 'mono') return [...filesOf('noto-sans-mono', MONO_PARTS, 400), ...sans(400), ...lastFiles()]
  return [...sans(face === 'bold' ? 700 : 400), ...lastFiles()]
}

export interface OpenFont {
  readonly key: string
  readonly bytes: Buffer
  readonly font: fontkit.Font
}

/**
 * Finds the font that has a character. Files are opened when a character first asks for them, so a report in one script
 * opens two or three.
 */
export class FontBook {
  readonly #open = new Map<string, OpenFont | null>()
  readonly #files = new Map<TextStyle['face'], FontFile[]>()
  readonly #found = new Map<TextStyle['face'], Map<number, OpenFont | null>>()

  /** The font of a face that has a character; null when none has. */
  fontOf(face: TextStyle['face'], codePoint: number): OpenFont | null {
    let known = this.#found.get(face)
    if (known === undefined) {
      known = new Map()
      this.#found.set(face, known)
    }
    const found = known.get(codePoint)
    if (found !== undefined) return found
    const font = this.#search(face, codePoint)
    known.set(codePoint, font)
    return font
  }

  #search(face: TextStyle['face'], codePoint: number): OpenFont | null {
    let files = this.#files.get(face)
    if (files === undefined) {
      files = filesOfFace(face)
      this.#files.set(face, files)
    }
    for (const file of files) {
      const open = this.#opened(file)
      if (open?.font.hasGlyphForCodePoint(codePoint)) return open
    }
    return null
  }

  #opened({ key, path }: FontFile): OpenFont | null {
    const known = this.#open.get(key)
    if (known !== undefined) return known
    const bytes = sfntOfWoff(readFileSync(path))
    const font = fontkit.create(bytes)
    const open = 'fonts' in font ? null : { key, bytes, font }
    this.#open.set(key, open)
    return open
  }
}
