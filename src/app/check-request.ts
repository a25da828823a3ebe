import { type CheckedKind, checkedKinds, idFields, type Operation, reachOf } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import type { Caller } from './handler.ts'
import { type FoundId, isGranted } from './id-grants.ts'

/** Names by which open parts of a request (steps of a login, conditions, filters) name collections. */
const OPEN_NAMES: ReadonlySet<string> = new Set([
  'apiCollectionId',
  'apiCollectionIds',
  'collectionIds',
  'filterCollectionsId',
])
const CHECKED: ReadonlySet<string> = new Set(checkedKinds)
const declaredKinds = new WeakMap<Operation, ReadonlyMap<string, CheckedKind | null>>()

/**
 * The one gate between a request that was read and its operation. Callers restricted to some collections are refused
 * operations that reach further, and every id of something that was not granted. Ids that exist and ids that do not are
 * refused alike; what cannot be an id is left to the operation.
 *
 * @throws Failure COLLECTIONS_RESTRICTED, COLLECTION_MINUS_ONE, COLLECTION_DENIED, ID_DENIED
 */
export async function checkRequest(
  store: Store,
  caller: Caller,
  operation: Operation,
  input: unknown,
): Promise<void> {
  if (caller.collectionIds === null) return
  if (reachOf(operation.name) === 'account') throw new Failure('COLLECTIONS_RESTRICTED', {})
  for (const found of idsIn(operation, input)) {
    const isCollection = found.kind === 'collection' || found.kind === 'collectionName'
    if (isCollection && Number(found.id) === -1) throw new Failure('COLLECTION_MINUS_ONE', {})
    if (await isGranted(store, caller, found, operation.access === 'read')) continue
    throw isCollection
      ? new Failure('COLLECTION_DENIED', {})
      : new Failure('ID_DENIED', { field: found.field })
  }
}

/** Every id of a request that is to be checked, each once. */
export function idsIn(operation: Operation, input: unknown): FoundId[] {
  const found = new Map<string, FoundId>()
  const visit = (value: unknown, path: string, kind: CheckedKind | null, parent: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, path, kind, parent)
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        const at = path === '' ? name : `${path}.${name}`
        visit(inner, at, kind ?? kindAt(operation, at, name), value)
      }
    } else if (kind !== null && value !== '' && (typeof value === 'string' || typeof value === 'number')) {
      const one: FoundId = { kind, id: value, field: path, endpoint: endpointOf(kind, value, parent) }
      found.set(JSON.stringify(one), one)
    }
  }
  visit(input, '', null, null)
  return [...found.values()]
}

function kindAt(operation: Operation, path: string, name: string): CheckedKind | null {
  let declared = declaredKinds.get(operation)
  if (declared === undefined) {
    declared = new Map(
      idFields(operation).map((field) => [
        field.path,
        CHECKED.has(field.kind ?? '') ? (field.kind as CheckedKind) : null,
      ]),
    )
    declaredKinds.set(operation, declared)
  }
  return declared.get(path) ?? (!declared.has(path) && OPEN_NAMES.has(name) ? 'collection' : null)
}

/** The endpoint of whose key the id of a collection is a part; null when it stands on its own. */
function endpointOf(kind: CheckedKind, id: string | number, parent: unknown): FoundId['endpoint'] {
  const { method, url } = (parent ?? {}) as { method?: unknown; url?: unknown }
  if (kind !== 'collection' || typeof method !== 'string' || typeof url !== 'string') return null
  return { apiCollectionId: Number(id), method, url }
}
