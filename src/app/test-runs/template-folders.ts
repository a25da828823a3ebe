import { readFile } from 'node:fs/promises'
import { type Log, nowMs, nowSeconds, reportError } from '../../kit/index.ts'
import { type Problem, plainValue, readYaml } from '../../rules/index.ts'
import type { Store } from '../../store/index.ts'
import {
  type KeptTemplate,
  keepTemplates,
  keptTemplates,
  type NewCatalogueEntry,
  parseTemplate,
  removeTemplates,
} from '../../testing/index.ts'
import { catalogueEntry } from './catalogue-entry.ts'
import { isNoTest } from './is-no-test.ts'
import { keepLibrary } from './library.ts'
import { type FolderScan, type FoundFile, scanFolder } from './scan-folder.ts'

const LOOK_EVERY_MS = 5_000
const MAX_BYTES = 1_048_576
/** Tests that one statement writes. */
const WRITE_AT = 50
/** Refused files that one reading tells the log of. */
const MAX_LOGGED = 50

/** A problem of a file in a folder of tests. */
interface FileProblem {
  /** Name of the file behind that of its folder. */
  readonly file: string
  readonly problem: Problem
}

/** What the last reading of the folders came to. */
interface FolderReport {
  readonly files: number
  /** Tests of folders that are in use. */
  readonly tests: number
  /** YAML files that hold no test: filters of live traffic, files of other programs. */
  readonly ignored: number
  readonly problems: readonly FileProblem[]
  readonly readAt: number
}

/** A file as it was understood. */
interface ReadFile {
  readonly stamp: string
  /** Null: it holds no test that can be used. */
  readonly id: string | null
  readonly isIgnored: boolean
  readonly problems: readonly Problem[]
  /** Not kept after it was written. */
  entry: NewCatalogueEntry | null
}

/**
 * Keeps the catalogue at what lies in folders of tests, and notices changes. Of several files with one id the first
 * counts, by folder and name; a test written in the dashboard wins over a file, a file over the library. A file that
 * cannot be used never touches the others.
 */
export class TemplateFolders {
  readonly #store: Store
  readonly #folders: readonly string[]
  readonly #log: Log
  #known = new Map<string, ReadFile>()
  #reading: Promise<void> | null = null
  #seen = ''
  #timer: NodeJS.Timeout | null = null
  report: FolderReport = { files: 0, tests: 0, ignored: 0, problems: [], readAt: 0 }

  constructor(store: Store, folders: readonly string[], log: Log) {
    this.#store = store
    this.#folders = folders
    this.#log = log
  }

  /** Begins to look, now and every five seconds; without folders once, to forget those of earlier starts. */
  begin(): void {
    void this.#look(false)
    if (this.#folders.length === 0) return
    this.#timer = setInterval(() => void this.#look(true), LOOK_EVERY_MS)
    this.#timer.unref()
  }

  /** Resolves when what {@link begin} found, and the library, are in the catalogue. */
  async ready(): Promise<void> {
    await this.#reading
  }

  /** Reads the folders now. */
  async read(): Promise<void> {
    await this.#reading
    await this.#look(false)
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#reading
  }

  #look(onlyChanges: boolean): Promise<void> {
    this.#reading ??= this.#readAll(onlyChanges)
      .catch((error: unknown) =>
        this.#log.warn('part.failed', { part: 'folders of tests', error: reportError(error) }),
      )
      .finally(() => {
        this.#reading = null
      })
    return this.#reading
  }

  async #readAll(onlyChanges: boolean): Promise<void> {
    const begunMs = nowMs()
    const scans: FolderScan[] = []
    for (const folder of this.#folders) scans.push(await scanFolder(folder))
    const seen = scans
      .flatMap((scan) => [...scan.files, ...scan.remediation.values(), ...scan.compliance.values()])
      .map(({ path, stamp }) => `${path} ${stamp}`)
      .join('\n')
    const isNew = seen !== this.#seen
    if (onlyChanges && !isNew) return
    const pass = new Pass(this.#known, await keptTemplates(this.#store))
    for (const scan of scans)
      await pass.take(scan, (entries) => keepTemplates(this.#store, entries, nowSeconds()))
    await removeTemplates(this.#store, 'GIT', pass.gone())
    await keepLibrary(this.#store)
    this.#known = pass.known
    this.#seen = seen
    this.report = { ...pass.report(), readAt: nowSeconds() }
    if (isNew) this.#report(nowMs() - begunMs)
  }

  #report(durationMs: number): void {
    const { files, tests, ignored, problems } = this.report
    this.#log.info('templates.read', { files, tests, ignored, problems: problems.length, durationMs })
    const errors = problems.filter(({ problem }) => problem.severity === 'error')
    for (const { file, problem } of errors.slice(0, MAX_LOGGED)) {
      const { message, nearest, place } = problem
      this.#log.warn('template.refused', { file, line: place.line, path: place.path, message, nearest })
    }
  }
}

/** One reading of all folders. */
class Pass {
  readonly known = new Map<string, ReadFile>()
  readonly #before: ReadonlyMap<string, ReadFile>
  readonly #kept: ReadonlyMap<string, KeptTemplate>
  /** Id to the file that gives it. */
  readonly #winners = new Map<string, string>()
  readonly #problems: FileProblem[] = []
  /** Names of folders that could not be read: what they gave stays. */
  readonly #unread: string[] = []
  #files = 0
  #ignored = 0

  constructor(before: ReadonlyMap<string, ReadFile>, kept: readonly KeptTemplate[]) {
    this.#before = before
    this.#kept = new Map(kept.map((one) => [one.id, one]))
  }

  async take(scan: FolderScan, write: (entries: NewCatalogueEntry[]) => Promise<void>): Promise<void> {
    for (const { name, sentence } of scan.problems) {
      this.#report(name, sentence)
      if (!scan.isReadable) this.#unread.push(`${name}/`)
    }
    const waiting: NewCatalogueEntry[] = []
    for (const file of scan.files) {
      this.#files++
      const read = await this.#understood(file, scan)
      this.known.set(file.path, read)
      if (read.isIgnored) this.#ignored++
      for (const problem of read.problems) this.#problems.push({ file: file.name, problem })
      const entry = this.#isWinner(file, read) ? await this.#changed(file, scan, read) : null
      read.entry = null
      if (entry !== null) waiting.push(entry)
      if (waiting.length >= WRITE_AT) await this.#writeAll(waiting.splice(0), write)
    }
    await this.#writeAll(waiting, write)
  }

  /** When the store takes them not together, one of them is to blame: it is named, and the others are kept. */
  async #writeAll(
    entries: NewCatalogueEntry[],
    write: (entries: NewCatalogueEntry[]) => Promise<void>,
  ): Promise<void> {
    try {
      await write(entries)
    } catch (error) {
      if (!isDataFault(error)) throw error
      for (const entry of entries) {
        await write([entry]).catch((reason: unknown) => {
          if (!isDataFault(reason)) throw reason
          this.#winners.delete(entry.id)
          this.#report(entry.file ?? entry.id, 'The store cannot keep it.', 'error')
        })
      }
    }
  }

  /** Kept tests of folders that no file gives any more. */
  gone(): string[] {
    return [...this.#kept.values()]
      .filter(({ source, id }) => source === 'GIT' && !this.#winners.has(id))
      .filter(({ file }) => !this.#unread.some((folder) => file?.startsWith(folder)))
      .map(({ id }) => id)
  }

  report(): Omit<FolderReport, 'readAt'> {
    return {
      files: this.#files,
      tests: this.#winners.size,
      ignored: this.#ignored,
      problems: this.#problems,
    }
  }

  async #understood(file: FoundFile, scan: FolderScan): Promise<ReadFile> {
    const before = this.#before.get(file.path)
    return before !== undefined && before.stamp === stampOf(file, before.id, scan)
      ? { ...before }
      : readTest(file, scan)
  }

  #isWinner(file: FoundFile, { id }: ReadFile): boolean {
    if (id === null) return false
    const first = this.#winners.get(id)
    if (first !== undefined) {
      this.#report(file.name, `${first} has a test of the same id, ${id}, and counts.`)
      return false
    }
    if (this.#kept.get(id)?.source === 'CUSTOM') {
      this.#report(file.name, `A test of the id ${id} was written in the dashboard, and counts.`)
      return false
    }
    this.#winners.set(id, file.name)
    return true
  }

  /** The test, when the catalogue holds another. */
  async #changed(file: FoundFile, scan: FolderScan, read: ReadFile): Promise<NewCatalogueEntry | null> {
    const kept = this.#kept.get(read.id!)
    const isRead = read.entry === null && kept?.source === 'GIT' && kept.file === file.name
    const entry = isRead ? null : (read.entry ?? (await readTest(file, scan)).entry)
    const isSame = kept?.source === 'GIT' && kept.file === file.name && kept.hash === entry?.contentHash
    return isSame ? null : entry
  }

  #report(file: string, message: string, severity: Problem['severity'] = 'warning'): void {
    const place = { line: 1, column: 1, path: '' }
    this.#problems.push({ file, problem: { severity, message, place, nearest: null } })
  }
}

/** The values are to blame, not the store (SQLSTATE class 22). */
function isDataFault(error: unknown): boolean {
  return (error as { code?: string }).code?.startsWith('22') === true
}

/** Changes when a file, or what lies beside it for its test, changes. */
function stampOf(file: FoundFile, id: string | null, scan: FolderScan): string {
  const beside = id === null ? [] : [scan.remediation.get(id), scan.compliance.get(id)]
  return [file.stamp, ...beside.map((one) => one?.stamp ?? '-')].join(' ')
}

async function readTest(file: FoundFile, scan: FolderScan): Promise<ReadFile> {
  const failed = (message: string): ReadFile => ({
    stamp: stampOf(file, null, scan),
    id: null,
    isIgnored: false,
    entry: null,
    problems: [{ severity: 'error', message, place: { line: 1, column: 1, path: '' }, nearest: null }],
  })
  if (file.bytes > MAX_BYTES) return failed(`The file is larger than ${MAX_BYTES} bytes.`)
  try {
    const content = await readFile(file.path, 'utf8')
    const { template, problems } = parseTemplate(content, file.name)
    if (template === null && isNoTest(content)) return { ...failed(''), isIgnored: true, problems: [] }
    if (template === null) return { ...failed(''), problems }
    const { id } = template
    const entry = catalogueEntry(template, content, {
      source: 'GIT',
      file: file.name,
      author: null,
      remediation: await textOf(scan.remediation.get(id)),
      compliance: readClauses(await textOf(scan.compliance.get(id))),
    })
    return { stamp: stampOf(file, id, scan), id, isIgnored: false, problems, entry }
  } catch (error) {
    const code = (error as { code?: string }).code
    if (code === undefined) throw error
    return failed(`The file cannot be read: ${code}.`)
  }
}

/** A text beside a test; null without one, or with one too large to be meant. */
async function textOf(file: FoundFile | undefined): Promise<string | null> {
  return file === undefined || file.bytes > MAX_BYTES ? null : readFile(file.path, 'utf8')
}

/** Standards in upper case with their clauses; what is not a list of texts is passed over. */
function readClauses(text: string | null): Map<string, string[]> {
  const { root } = readYaml(text ?? '')
  const clauses = new Map<string, string[]>()
  if (root?.kind !== 'map') return clauses
  for (const { key, value } of root.entries) {
    const listed = plainValue(value)
    if (Array.isArray(listed)) clauses.set(key.toUpperCase(), listed.map(String))
  }
  return clauses
}
