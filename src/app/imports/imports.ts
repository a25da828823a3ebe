import type { Access } from '../../access/index.ts'
import {
  describeFailure,
  formatOfImporter,
  type ImporterName,
  kindOfImporter,
  type OperationName,
  operations,
} from '../../contract/index.ts'
import type { DataSource } from '../../http/index.ts'
import type { DocumentedOperation, InventoryPort } from '../../inventory/index.ts'
import { forEachInSlices } from '../../kit/in-slices.ts'
import { Failure, newHexId, nowSeconds } from '../../kit/index.ts'
import { routeOfExample } from '../../path-templates/index.ts'
import { type Store, usingTransaction } from '../../store/index.ts'
import type { DeclaredOperation } from '../../traffic/index.ts'
import { checkRequest } from '../check-request.ts'
import type { Caller } from '../handler.ts'
import { urlMask } from '../shown-urls.ts'
import type { TestRuns } from '../test-runs/test-runs.ts'
import { FileReader, type FileReading } from './file-reader.ts'
import { fileWarnings, ImportLedger, stopReason } from './import-rows.ts'
import type { OpenedFile } from './reader-protocol.ts'
import { FindingsIntake } from './take-findings.ts'
import { type ImportContent, type ImportTarget, targetCollection } from './target-collection.ts'
import { operationsOfVersions } from './versioned-operations.ts'

/** What endpoints of a document have as their source. */
const SOURCE_OF_DOCUMENT: { readonly [Name in ImporterName]?: DataSource } = {
  openapi: 'OPEN_API',
  postman: 'POSTMAN',
}

/** A description of what an API offers, without anything that was observed. */
function isSpecificationOf(importer: ImporterName): boolean {
  return kindOfImporter(importer) === 'SPECIFICATION'
}

/** Operations of a document that are handed to the inventory at once. */
const OPERATIONS_AT_ONCE = 500
const ROWS_PER_STATEMENT = 2000
/** Files over this size may take longer than anybody waits for an answer. */
const LARGE_FILE_BYTES = 8 * 1024 * 1024
const PATIENCE_MS = 1_000

/** A document that was read earlier, as {@link Imports.takeDocument} reads it back. */
interface ReadDocument {
  document: string | null
  title: string | null
  format: string
  collection_id: number | null
}

/** What an operation with a file asks for. */
interface FileImport {
  operation: OperationName
  body: Uint8Array
  caller: Caller
  importer?: ImporterName
  dataSource?: DataSource
}

/** A specification that nobody uploaded. */
interface FoundDocument {
  readonly text: string
  /** Where it was found. */
  readonly url: string
  readonly collectionId: number
  readonly login: string
}

/**
 * Imports files: reads them in a separate thread, feeds the inventory in slices, and keeps a report of every entry.
 * An import that is cut off by a crash stands as FAILED after the next start; what it had taken is in the inventory.
 */
export class Imports {
  readonly #store: Store
  readonly #inventory: InventoryPort
  readonly #access: Access
  readonly #testRuns: TestRuns
  readonly #reader = new FileReader()
  readonly #background = new Set<Promise<void>>()

  /** @param deps the thread of `testRuns` masks what findings show */
  constructor(deps: {
    readonly store: Store
    readonly inventory: InventoryPort
    readonly access: Access
    readonly testRuns: TestRuns
  }) {
    this.#store = deps.store
    this.#access = deps.access
    this.#inventory = deps.inventory
    this.#testRuns = deps.testRuns
  }

  /** Whether a further file would be taken now. */
  get isAccepting(): boolean {
    return this.#reader.isAccepting
  }

  /** Ends imports that a crash cut off. */
  async begin(): Promise<void> {
    await this.#store.pool.query(
      `UPDATE imports SET status = 'FAILED', fatal_error = $1, ended_at = $2 WHERE status = 'IN_PROGRESS'`,
      ['Vigil was stopped while the file was read; import it again', nowSeconds()],
    )
  }

  /**
   * Reads a file and takes all of it; resolves when everything is committed. With a large file the answer does not wait
   * for that longer than {@link PATIENCE_MS}: its report then stands as IN_PROGRESS and is brought to its end.
   *
   * @returns its id
   */
  async importFile(request: FileImport): Promise<string> {
    const isLarge = request.body.byteLength > LARGE_FILE_BYTES
    const startedMs = performance.now()
    return new Promise((resolve, reject) => {
      const work = this.#reader.read({ kind: 'body', ...sourceOf(request) }, async (reading) => {
        const { opened } = reading
        const target = opened.input as ImportTarget
        await this.#check(request, target)
        const collectionId = await this.#target(opened, request.caller)
        const id = await this.#begin(opened, request.caller, collectionId)
        const left = Math.max(0, PATIENCE_MS - (performance.now() - startedMs))
        const impatient = isLarge ? setTimeout(() => resolve(id), left) : undefined
        await this.#run(id, () => this.#take(id, reading, collectionId, request.caller))
        clearTimeout(impatient)
        resolve(id)
      })
      this.#track(work.catch(reject))
    })
  }

  /** The collection that receives a file; null for findings of another scanner that go to the collections of their hosts. */
  async #target({ input, importer }: OpenedFile, caller: Caller): Promise<number | null> {
    const target = input as ImportTarget
    const isNamed = target.apiCollectionId != null || (target.apiCollectionName ?? '').trim() !== ''
    const mayChoose = kindOfImporter(importer) === 'FINDINGS' && caller.collectionIds === null
    if (mayChoose && !isNamed) return null
    return targetCollection(this.#access, target, caller, contentOf(importer))
  }

  /** The gate of requests whose bodies are read here. */
  #check({ operation, caller }: FileImport, input: ImportTarget): Promise<void> {
    return checkRequest(this.#store, caller, operations[operation], input)
  }

  /**
   * Reads a document (OpenAPI, Postman) for its report, in the background; {@link takeDocument} takes it over later.
   * With a target collection in the request it is taken at once. Resolves with the id when the file could be opened.
   */
  async readDocument(request: FileImport): Promise<string> {
    return new Promise((resolve, reject) => {
      const work = this.#reader.read({ kind: 'body', ...sourceOf(request) }, async (reading) => {
        const { opened } = reading
        const target = opened.input as ImportTarget
        await this.#check(request, target)
        const hasTarget = target.apiCollectionId != null && target.apiCollectionId !== 0
        const groupRefusal = opened.importer === 'openapi' ? 'OPENAPI_GROUP_TARGET' : 'GROUP_TARGET'
        const collectionId = hasTarget
          ? await targetCollection(
              this.#access,
              target,
              request.caller,
              contentOf(opened.importer),
              groupRefusal,
            )
          : null
        const id = await this.#begin(opened, request.caller, collectionId)
        resolve(id)
        await this.#run(id, () =>
          collectionId === null
            ? this.#report(id, reading)
            : this.#takeAll(id, reading, collectionId, () => true),
        )
      })
      this.#track(work.catch(reject))
    })
  }

  /** Takes a document that was read earlier: all of it, or only what was read without problems. */
  async takeDocument(id: string, onlyClean: boolean, caller: Caller, target: ImportTarget): Promise<number> {
    const { rows } = await this.#store.pool.query<ReadDocument>(
      'SELECT document, title, format, collection_id FROM imports WHERE id = $1',
      [id],
    )
    const row = rows[0]
    if (row?.document == null) throw new Failure('INVALID_UPLOAD_ID', {})
    const importer = row.format === 'POSTMAN' ? 'postman' : 'openapi'
    const isNamed = target.apiCollectionId != null || (target.apiCollectionName ?? '') !== ''
    const own: ImportTarget = { apiCollectionName: collectionNameOf(row.title, importer) }
    const earlier: ImportTarget | null =
      row.collection_id === null ? null : { apiCollectionId: row.collection_id }
    const collectionId = await targetCollection(
      this.#access,
      isNamed ? target : (earlier ?? own),
      caller,
      contentOf(importer),
    )
    const accepts = (operation: DeclaredOperation): boolean => !onlyClean || operation.problems.length === 0
    await this.#reader.read({ kind: 'text', text: row.document, importer }, async (reading) => {
      await this.#store.pool.query('DELETE FROM import_rows WHERE import_id = $1', [id])
      await this.#store.pool.query('UPDATE imports SET collection_id = $2 WHERE id = $1', [id, collectionId])
      await this.#run(id, () => this.#takeAll(id, reading, collectionId, accepts))
    })
    return collectionId
  }

  /**
   * Documents what a specification declares that was found at a URL, as far as it is of the host that serves it: a
   * specification may name any.
   *
   * @throws Failure OVERLOADED, or what is wrong with the text
   */
  async takeFound({ text, url, collectionId, login }: FoundDocument): Promise<void> {
    const { host } = new URL(url)
    const source = { kind: 'text', text, importer: 'openapi', baseUrl: url } as const
    const work = this.#reader.read(source, async (reading) => {
      const declared = reading.opened.declared.filter(({ origin }) => isOfHost(origin, host))
      if (declared.length === 0) return
      const opened = { ...reading.opened, declared }
      const id = await this.#begin(opened, { login }, collectionId)
      await this.#run(id, () =>
        this.#takeAll(id, { opened, next: () => reading.next() }, collectionId, () => true),
      )
    })
    this.#track(work.catch(() => {})) // anyone who called hears of it
    await work
  }

  async close(): Promise<void> {
    await Promise.all(this.#background)
    await this.#reader.close()
  }

  async #begin(
    opened: OpenedFile,
    caller: Pick<Caller, 'login'>,
    collectionId: number | null,
  ): Promise<string> {
    const id = newHexId()
    const fileName = opened.input['fileName']
    await this.#store.pool.query(
      `INSERT INTO imports (id, format, file_name, collection_id, user_login, status, title, document, document_json,
         created_at) VALUES ($1, $2, $3, $4, $5, 'IN_PROGRESS', $6, $7, $8, $9)`,
      [
        id,
        formatOfImporter(opened.importer),
        typeof fileName === 'string' ? fileName : null,
        collectionId,
        caller.login,
        opened.title,
        opened.document,
        opened.documentJson,
        nowSeconds(),
      ],
    )
    return id
  }

  /** Runs an import to its end; whatever happens, its row gets a final status. */
  async #run(id: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      await this.#store.pool.query(
        `UPDATE imports SET status = 'FAILED', fatal_error = $2, ended_at = $3 WHERE id = $1`,
        [id, describeFailure(error).messages.join('; '), nowSeconds()],
      )
      throw error
    }
  }

  #take(id: string, reading: FileReading, collectionId: number | null, caller: Caller): Promise<void> {
    if (kindOfImporter(reading.opened.importer) !== 'FINDINGS')
      return this.#takeAll(id, reading, collectionId!, () => true)
    const intake = new FindingsIntake(
      { store: this.#store, inventory: this.#inventory, testRuns: this.#testRuns },
      {
        importId: id,
        placement: collectionId === null ? { byHost: true } : { collectionId },
        // Rules are shared by all collections.
        mayReword: caller.collectionIds === null,
      },
    )
    return this.#takeFindings(id, reading, intake)
  }

  /** Makes issues of what another scanner reported. */
  async #takeFindings(id: string, reading: FileReading, intake: FindingsIntake): Promise<void> {
    const ledger = new ImportLedger(await urlMask(this.#store))
    for (;;) {
      const { findings, report } = await reading.next()
      await intake.take(findings, ledger)
      if (report === null) continue
      ledger.noteReport(report)
      // People who were granted the collection read every row.
      const collectionId = intake.collectionOf(ledger)
      await this.#store.pool.query('UPDATE imports SET collection_id = $2 WHERE id = $1', [id, collectionId])
      const warnings = [...fileWarnings(report), ...(await intake.remarks())]
      await this.#finish(id, ledger, warnings, stopReason(report))
      return
    }
  }

  async #takeAll(
    id: string,
    reading: FileReading,
    collectionId: number,
    accepts: (operation: DeclaredOperation) => boolean,
  ): Promise<void> {
    const ledger = new ImportLedger(await urlMask(this.#store))
    const { declared } = reading.opened
    const isDocument = declared.length > 0
    // The exchanges of a specification are made of its examples; nobody has observed them.
    const isSpecification = isSpecificationOf(reading.opened.importer)
    const refused = new Set(declared.filter((operation) => !accepts(operation)).map(({ index }) => index))
    if (isDocument) {
      const read = isSpecification ? documentedOperation : exampleOperation
      // In parts: a large document at once would hold up every other call.
      for (let at = 0; at < declared.length; at += OPERATIONS_AT_ONCE) {
        const part = declared.slice(at, at + OPERATIONS_AT_ONCE)
        for (const operation of part) ledger.noteDeclared(operation, accepts(operation))
        await this.#inventory.addDeclared(id, part.filter(accepts).flatMap(operationsOfVersions).map(read))
      }
      const source = SOURCE_OF_DOCUMENT[reading.opened.importer] ?? 'OTHER'
      await this.#inventory.declare([], collectionId, id, source)
    }
    for (;;) {
      const { items: read, report } = await reading.next()
      const items = isSpecification ? [] : isDocument ? read.filter(({ index }) => !refused.has(index)) : read
      if (items.length > 0) {
        const observed = await this.#inventory.observe(
          items.map((item) => item.exchange),
          { collectionId },
          id,
        )
        await forEachInSlices(items, (item, i) => {
          if (isDocument) ledger.noteExample(item, observed.outcomes[i]!)
          else ledger.noteExchange(item, observed.outcomes[i]!)
        })
      }
      if (report === null) continue
      ledger.noteReport(report)
      await this.#finish(id, ledger, fileWarnings(report), stopReason(report))
      return
    }
  }

  /** Reads to the end, only for the report. */
  async #report(id: string, reading: FileReading): Promise<void> {
    const ledger = new ImportLedger(await urlMask(this.#store))
    for (const operation of reading.opened.declared) ledger.noteDeclared(operation, true)
    for (;;) {
      const { report } = await reading.next()
      if (report === null) continue
      ledger.noteReport(report)
      await this.#finish(id, ledger, fileWarnings(report), stopReason(report))
      return
    }
  }

  async #finish(id: string, ledger: ImportLedger, warnings: string[], stop: string | null): Promise<void> {
    const rows = ledger.inOrder()
    await usingTransaction(this.#store.pool, async (client) => {
      for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
        await client.query(
          `INSERT INTO import_rows (import_id, position, outcome, place, what, reasons)
           SELECT $1, d.position, d.outcome, d.place, d.what, d.reasons
           FROM jsonb_to_recordset($2::jsonb) AS d (position integer, outcome text, place text, what text,
             reasons jsonb)`,
          [
            id,
            JSON.stringify(
              rows.slice(at, at + ROWS_PER_STATEMENT).map((row, i) => ({ ...row, position: at + i })),
            ),
          ],
        )
      }
      await client.query(
        `UPDATE imports SET status = $2, taken = $3, skipped = $4, duplicates = $5, total = $6, warnings = $7,
           fatal_error = $8, ended_at = $9 WHERE id = $1`,
        [
          id,
          stop !== null && ledger.taken === 0 ? 'FAILED' : 'SUCCEEDED',
          ledger.taken,
          ledger.skipped,
          ledger.duplicates,
          ledger.total,
          JSON.stringify(stop === null ? warnings : [...warnings, `Reading stopped early: ${stop}`]),
          stop !== null && ledger.taken === 0 ? stop : null,
          nowSeconds(),
        ],
      )
    })
  }

  #track(work: Promise<unknown>): void {
    const done: Promise<void> = work.then(() => {
      this.#background.delete(done)
    })
    this.#background.add(done)
  }
}

function isOfHost(origin: string, host: string): boolean {
  return origin === '' || (URL.canParse(origin) && new URL(origin).host === host)
}

function sourceOf(request: FileImport): Pick<FileImport, 'operation' | 'body' | 'importer' | 'dataSource'> {
  const { operation, body, importer, dataSource } = request
  return { operation, body, ...(importer ? { importer } : {}), ...(dataSource ? { dataSource } : {}) }
}

function documentedOperation(operation: DeclaredOperation): DocumentedOperation {
  const { method, path, origin, summary, parameters, requests, responses, ...detail } = operation
  const { target, protocol } = operation
  const behind = target === undefined ? {} : { suffix: path.slice(target.length) }
  return {
    method,
    path: origin + path,
    ...behind,
    protocol,
    summary,
    parameters,
    requests,
    responses,
    detail,
  }
}

/** A collection name made of a document's title: allowed characters only, at most 60. */
function collectionNameOf(title: string | null, importer: ImporterName): string {
  const cleaned = (title ?? '')
    .replace(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 60)
    .trim()
  return cleaned === '' ? `${importer} import` : cleaned
}

function contentOf(importer: ImporterName): ImportContent {
  return isSpecificationOf(importer) || kindOfImporter(importer) === 'FINDINGS' ? 'DECLARATION' : 'TRAFFIC'
}

/** A request of a Postman collection is an example: values in its path, such as ids, are not names of the API. */
function exampleOperation(operation: DeclaredOperation): DocumentedOperation {
  const { path, parameters } = routeOfExample(operation.path)
  return documentedOperation({ ...operation, path, parameters: [...operation.parameters, ...parameters] })
}
