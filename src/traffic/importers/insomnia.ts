import type { DeclaredOperation } from '../declared-operation.ts'
import { decodeInput } from '../decode-input.ts'
import { unreadable } from '../failures.ts'
import { describeRequest, ImportReportWriter } from '../import-report.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { postmanAuth, postmanItem, postmanVariables } from '../insomnia/as-postman.ts'
import { parseJsonDocument } from '../json-document.ts'
import { type ItemScope, readItem } from '../postman/item.ts'
import { Variables } from '../postman/variables.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asObject, asText, cutText, own } from '../untrusted-value.ts'

const MAX_RESOURCES = 50_000
const MAX_FOLDER_DEPTH = 32

/**
 * Insomnia exports in JSON (format 4, what "Insomnia v4 (JSON)" writes). Every HTTP request is declared, with the
 * variables of the base environment and of its folders; responses are not in such a file. Nothing is ever sent.
 */
export const insomniaImporter: Importer = {
  name: 'insomnia',
  label: 'Insomnia export 4 (JSON)',
  endings: [],
  detect: ({ shape, keys, isArray }) =>
    shape === 'json' && !isArray && keys.has('_type') && keys.has('resources'),
  read(input, options = {}) {
    const { text, warnings } = decodeInput(input)
    const parsed = parseJsonDocument(text, 'insomnia')
    const root = asObject(parsed.value)
    const resources = own(root, 'resources')
    if (!Array.isArray(resources)) throw unreadable('insomnia', 'it has no "resources" list')
    const tree = new ResourceTree(resources.slice(0, MAX_RESOURCES))
    const report = new ImportReportWriter(tree.title || (options.fileName ?? 'Insomnia'))
    for (const { where, reason } of warnings) report.warn(where, reason)
    for (const reason of parsed.warnings) report.warn('', reason)
    const declared = readRequests(tree, report, options)
    if (resources.length > MAX_RESOURCES)
      report.stop(`/resources/${MAX_RESOURCES}`, `only the first ${MAX_RESOURCES} resources are read`)
    return { importer: 'insomnia', exchanges: [], declared, report }
  },
}

function readRequests(
  tree: ResourceTree,
  report: ImportReportWriter,
  options: ImportOptions,
): DeclaredOperation[] {
  const declared: DeclaredOperation[] = []
  let index = 0
  for (const { resource, at } of tree.requests) {
    const where = `/resources/${at}`
    const scope = tree.scopeOf(resource, options.variables)
    const kind = asText(own(resource, '_type'))
    const read =
      typeof scope === 'string'
        ? scope
        : kind === 'request'
          ? readItem(postmanItem(resource), scope, { index, where }, options)
          : `requests of kind ${kind.slice(0, 40)} are not read`
    if (typeof read === 'string') report.skip(index, where, cutText(own(resource, 'name'), 300), read)
    else {
      const { method, origin, path, problems } = read.declared
      report.take(index, where, describeRequest(method, origin + path), problems)
      declared.push(read.declared)
    }
    index++
  }
  return declared
}

interface Placed {
  readonly resource: OutsideObject
  /** Position in the list of the file. */
  readonly at: number
}

/** The flat list of resources, which name their parents. */
class ResourceTree {
  readonly requests: readonly Placed[]
  readonly title: string
  readonly #byId = new Map<string, OutsideObject>()
  /** Base environments by the workspace that they belong to. */
  readonly #environments = new Map<string, OutsideObject>()

  constructor(resources: readonly unknown[]) {
    const placed = resources.flatMap((one, at): Placed[] => {
      const resource = asObject(one)
      return resource === undefined ? [] : [{ resource, at }]
    })
    for (const { resource } of placed) {
      this.#byId.set(asText(own(resource, '_id')), resource)
      const parent = asText(own(resource, 'parentId'))
      const isEnvironment = own(resource, '_type') === 'environment'
      const data = asObject(own(resource, 'data'))
      if (isEnvironment && data !== undefined && !this.#environments.has(parent))
        this.#environments.set(parent, data)
    }
    this.requests = placed.filter(({ resource }) =>
      /^(?:\w{1,20}_)?request$/.test(asText(own(resource, '_type'))),
    )
    const workspace = placed.find(({ resource }) => own(resource, '_type') === 'workspace')
    this.title = cutText(own(workspace?.resource, 'name'), 200)
  }

  /** What a request sees of its folders and its workspace; a sentence when they cannot be followed. */
  scopeOf(request: OutsideObject, given: Readonly<Record<string, string>> = {}): ItemScope | string {
    const chain: OutsideObject[] = []
    let parent = this.#byId.get(asText(own(request, 'parentId')))
    for (; parent !== undefined; parent = this.#byId.get(asText(own(parent, 'parentId')))) {
      if (chain.length >= MAX_FOLDER_DEPTH) return `folders are nested deeper than ${MAX_FOLDER_DEPTH}`
      chain.unshift(parent)
    }
    let variables = Variables.outermost(given)
    let auth: OutsideObject | undefined
    for (const folder of chain) {
      const base = this.#environments.get(asText(own(folder, '_id')))
      variables = variables.within(postmanVariables(base))
      variables = variables.within(postmanVariables(asObject(own(folder, 'environment'))))
      auth = postmanAuth(asObject(own(folder, 'authentication'))) ?? auth
    }
    const folders = chain
      .filter((folder) => own(folder, '_type') === 'request_group')
      .map((folder) => cutText(own(folder, 'name'), 100))
    return { variables, auth, folders }
  }
}
