import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** Files of one folder that are looked at. */
const MAX_FILES = 20_000
const MAX_DEPTH = 16

/** A file as it lay there. */
export interface FoundFile {
  /** To read it. */
  readonly path: string
  /** To name it: within its folder, with `/`, behind the name of the folder. */
  readonly name: string
  readonly bytes: number
  /** Changes whenever the file does. */
  readonly stamp: string
}

/** What a folder of tests holds. */
export interface FolderScan {
  /** YAML files in the order of their names. */
  readonly files: readonly FoundFile[]
  /** Id of a test to its Markdown below a folder `remediation`. */
  readonly remediation: ReadonlyMap<string, FoundFile>
  /** Id of a test to the clauses of standards below a folder `compliance`. */
  readonly compliance: ReadonlyMap<string, FoundFile>
  /** What could not be looked at, as sentences with the place. */
  readonly problems: readonly { readonly name: string; readonly sentence: string }[]
  /** The folder itself could be read. */
  readonly isReadable: boolean
}

/**
 * Looks through a folder and those below it. Names that begin with a dot, such as `.git`, and links to folders are
 * passed over; links to files are followed. Worked cases (`.cases.yaml`) are not tests.
 */
export async function scanFolder(folder: string): Promise<FolderScan> {
  const scan = new Scan(basename(folder))
  await scan.walk(folder, '', 0)
  return scan
}

class Scan implements FolderScan {
  readonly #root: string
  readonly files: FoundFile[] = []
  readonly remediation = new Map<string, FoundFile>()
  readonly compliance = new Map<string, FoundFile>()
  readonly problems: { name: string; sentence: string }[] = []
  isReadable = true
  #count = 0

  constructor(root: string) {
    this.#root = root
  }

  async walk(path: string, inner: string, depth: number): Promise<void> {
    const name = `${this.#root}${inner}`
    if (depth > MAX_DEPTH) {
      this.problems.push({ name, sentence: `Folders deeper than ${MAX_DEPTH} levels are not looked at.` })
      return
    }
    let entries: Dirent[]
    try {
      entries = await readdir(path, { withFileTypes: true })
    } catch (error) {
      if (depth === 0) this.isReadable = false
      this.problems.push({ name, sentence: `The folder cannot be read: ${codeOf(error)}.` })
      return
    }
    // By code units, so that the order is the same on every machine.
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.')) continue
      const below = `${inner}/${entry.name}`
      if (entry.isDirectory()) await this.walk(join(path, entry.name), below, depth + 1)
      else if (!(await this.#take(join(path, entry.name), below))) return
    }
  }

  /** False when there are too many files to continue. */
  async #take(path: string, inner: string): Promise<boolean> {
    const known = this.#placeOf(inner)
    if (known === null) return true
    if (this.#count >= MAX_FILES) {
      if (this.#count++ === MAX_FILES)
        this.problems.push({
          name: this.#root,
          sentence: `The folder has more than ${MAX_FILES} files; the others are not looked at.`,
        })
      return false
    }
    try {
      const { size, mtimeMs, ctimeMs, ino, ...facts } = await stat(path)
      if ((facts.mode & 0o170_000) !== 0o100_000) return true
      this.#count++
      known({
        path,
        name: `${this.#root}${inner}`,
        bytes: size,
        stamp: `${ino} ${size} ${mtimeMs} ${ctimeMs}`,
      })
    } catch (error) {
      // A file that went between listing and looking is as if it had never been there.
      if (codeOf(error) !== 'ENOENT')
        this.problems.push({
          name: `${this.#root}${inner}`,
          sentence: `The file cannot be read: ${codeOf(error)}.`,
        })
    }
    return true
  }

  /** Where a file of this name belongs; null when it is not one that Vigil uses. */
  #placeOf(inner: string): ((file: FoundFile) => void) | null {
    if (/\.ya?ml$/i.test(inner))
      return /\.cases\.ya?ml$/i.test(inner) ? null : (file) => void this.files.push(file)
    const [, kind, id] = /\/(remediation|compliance)\/([^/]+)\.(?:md|conf)$/.exec(inner) ?? []
    if (id === undefined) return null
    const side = kind === 'remediation' ? this.remediation : this.compliance
    return (file) => void side.set(id, file)
  }
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? String(error)
}
