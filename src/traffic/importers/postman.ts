import type { DeclaredOperation } from '../declared-operation.ts'
import { decodeInput } from '../decode-input.ts'
import { unreadable } from '../failures.ts'
import { describeRequest, ImportReportWriter } from '../import-report.ts'
import type { ImportedExchange, Importer, ImportOptions } from '../importer.ts'
import { parseJsonDocument } from '../json-document.ts'
import type { ItemScope } from '../postman/item.ts'
import { readItem } from '../postman/item.ts'
import { Variables } from '../postman/variables.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asList, asObject, cutText, own } from '../untrusted-value.ts'

const MAX_FOLDER_DEPTH = 32
const MAX_ITEMS = 50_000

/**
 * Postman collections 2.0 and 2.1. Every request is declared; every saved response becomes an exchange. Nothing is
 * ever sent: a request without saved response stays a declaration.
 */
export const postmanImporter: Importer = {
  name: 'postman',
  label: 'Postman collection 2.0 or 2.1',
  endings: ['.postman_collection.json', '.postman_collection'],
  detect: ({ shape, keys, isArray }) => {
    if (shape !== 'json' || isArray) return false
    return (
      (keys.has('info') && keys.has('item')) ||
      keys.has('collection') ||
      (keys.has('requests') && keys.has('order')) ||
      keys.has('_postman_variable_scope')
    )
  },
  read(input, options = {}) {
    const { text, warnings } = decodeInput(input)
    const parsed = parseJsonDocument(text, 'postman')
    const collection = readCollection(parsed.value)
    const title = cutText(own(asObject(own(collection, 'info')), 'name'), 200)
    const report = new ImportReportWriter(title || (options.fileName ?? 'Postman'))
    for (const { where, reason } of warnings) report.warn(where, reason)
    for (const reason of parsed.warnings) report.warn('', reason)
    const reader = new CollectionReader(report, options)
    reader.read(collection)
    return { importer: 'postman', exchanges: reader.exchanges, declared: reader.declared, report }
  },
}

function readCollection(value: unknown): OutsideObject {
  const outer = asObject(value)
  // The service's own interface wraps the collection.
  const collection = asObject(own(outer, 'collection')) ?? outer
  if (collection === undefined) throw unreadable('postman', 'the document is not an object')
  if (own(collection, 'item') === undefined && own(collection, 'requests') !== undefined) {
    throw unreadable('postman', 'collections of version 1 are not supported; export it as v2.1')
  }
  if (own(collection, '_postman_variable_scope') !== undefined) {
    throw unreadable(
      'postman',
      'it is an environment; send it together with its collection, as "environment"',
    )
  }
  if (!Array.isArray(own(collection, 'item'))) throw unreadable('postman', 'it has no "item" list')
  return collection
}

class CollectionReader {
  readonly exchanges: ImportedExchange[] = []
  readonly declared: DeclaredOperation[] = []
  readonly #report: ImportReportWriter
  readonly #options: ImportOptions
  #index = 0

  constructor(report: ImportReportWriter, options: ImportOptions) {
    this.#report = report
    this.#options = options
  }

  read(collection: OutsideObject): void {
    const variables = Variables.outermost(this.#options.variables).within(own(collection, 'variable'))
    const auth = asObject(own(collection, 'auth'))
    this.#readItems(asList(own(collection, 'item')), { variables, auth, folders: [] }, '/item')
  }

  /** Reads a list of folders and requests; false when the limit of items is reached. */
  #readItems(items: readonly unknown[], scope: ItemScope, pointer: string): boolean {
    for (const [i, node] of items.entries()) {
      const where = `${pointer}/${i}`
      if (this.#index >= MAX_ITEMS) {
        this.#report.stop(where, `only the first ${MAX_ITEMS} requests are read`)
        return false
      }
      const item = asObject(node)
      const children = own(item, 'item')
      if (item !== undefined && Array.isArray(children)) {
        if (!this.#readFolder(item, children, scope, where)) return false
      } else this.#readRequest(item, scope, where)
    }
    return true
  }

  #readFolder(folder: OutsideObject, children: readonly unknown[], scope: ItemScope, where: string): boolean {
    const name = cutText(own(folder, 'name'), 100)
    if (scope.folders.length >= MAX_FOLDER_DEPTH) {
      this.#skip(where, name, `folders are nested deeper than ${MAX_FOLDER_DEPTH}`)
      return true
    }
    const inner: ItemScope = {
      variables: scope.variables.within(own(folder, 'variable')),
      auth: asObject(own(folder, 'auth')) ?? scope.auth,
      folders: [...scope.folders, name],
    }
    return this.#readItems(children, inner, `${where}/item`)
  }

  #readRequest(item: OutsideObject | undefined, scope: ItemScope, where: string): void {
    if (item === undefined) {
      this.#skip(where, '', 'the item is not an object')
      return
    }
    const index = this.#index
    const inner = { ...scope, variables: scope.variables.within(own(item, 'variable')) }
    const read = readItem(item, inner, { index, where }, this.#options)
    if (typeof read === 'string') {
      this.#skip(where, cutText(own(item, 'name'), 300), read)
      return
    }
    this.#index++
    const { declared, exchanges } = read
    const what = describeRequest(declared.method, declared.origin + declared.path)
    this.#report.take(index, where, what, declared.problems)
    this.declared.push(declared)
    for (const exchange of exchanges) this.exchanges.push({ exchange, index, where, what })
  }

  #skip(where: string, what: string, reason: string): void {
    this.#report.skip(this.#index, where, what, reason)
    this.#index++
  }
}
