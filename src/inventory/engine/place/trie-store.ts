import {
  formatTemplate,
  PathTrie,
  type Resolution,
  splitPath,
  type TemplateMove,
} from '../../../path-templates/index.ts'
import type { Store } from '../../../store/index.ts'
import type { CollectionState, EvidenceRow, SavedRevision } from './collection-state.ts'

/** Columns of an {@link EvidenceRow}. */
export const EVIDENCE_COLUMNS = `method, url, is_template, last_seen,
  root_id = id AS is_movable`

/** Columns of a {@link SavedRevision}. */
export const REVISION_COLUMNS = `revision, writer || ' ' || saved_at AS saved_by`
/** Of a trie that was not saved. */
export const NO_REVISION: SavedRevision = { revision: 0, saved_by: '' }

/**
 * Condition on endpoints whose paths are evidence: what was only documented is not, its routes are among the stated ones,
 * and neither are operations of GraphQL, SOAP and the like, which no path distinguishes.
 */
export const IS_EVIDENCE = "root_id <> 0 AND last_seen > 0 AND NOT attributes ? 'protocol'"

/**
 * Reads the trie of an origin from the store: what was saved, and the endpoints written since. Some of these may still
 * have to move to the templates that were saved.
 */
export async function restoreTrie(
  store: Store,
  collection: CollectionState,
  origin: string,
): Promise<PathTrie> {
  const { rows } = await store.pool.query<{ snapshot: unknown; endpoint_mark: number } & SavedRevision>(
    `SELECT snapshot, endpoint_mark, ${REVISION_COLUMNS} FROM path_evidence
     WHERE collection_id = $1 AND origin = $2`,
    [collection.id, origin],
  )
  const saved = rows[0]
  const trie = saved ? PathTrie.restore(saved.snapshot as never) : new PathTrie()
  collection.revisions.set(
    origin,
    saved ? { revision: saved.revision, saved_by: saved.saved_by } : NO_REVISION,
  )
  const later = await store.pool.query<EvidenceRow>(
    `SELECT ${EVIDENCE_COLUMNS} FROM endpoints
     WHERE collection_id = $1 AND origin = $2 AND id > $3 AND ${IS_EVIDENCE} ORDER BY id`,
    [collection.id, origin, saved?.endpoint_mark ?? 0],
  )
  collection.misplaced.set(
    origin,
    later.rows.filter((row) => learnEndpoint(trie, row, origin) !== null),
  )
  return trie
}

/**
 * Learns the path of an endpoint that others observed, unless the trie knows it.
 *
 * @returns the move of an endpoint that belongs elsewhere
 */
export function learnEndpoint(trie: PathTrie, row: EvidenceRow, origin: string): TemplateMove | null {
  const from = row.url.slice(origin.length)
  const { template: to, isTemplate } = placeOf(trie, row, from)
  // A template that this trie lacks was taken apart by a decision, whose moves name the paths themselves.
  if (!row.is_movable || from === to || (row.is_template && !isTemplate)) return null
  return { method: row.method, from, to }
}

function placeOf(
  trie: PathTrie,
  { method, is_template: isTemplate, last_seen: at }: EvidenceRow,
  wanted: string,
): Resolution {
  // A template is put back by a value of its kind: what was learned stays open to later evidence.
  const path = isTemplate ? concretePath(wanted) : wanted
  const found = trie.find(method, path)
  const known = trie.resolve(method, path)
  if (known !== null && (found.observation !== null || (isTemplate && known.template === wanted)))
    return known
  return trie.observe({ method, path, status: 200, mediaType: '', keys: [], at }, found)
}

/** Values that are certain to be of each kind, wherever they stand: a small number after `api` would be a version. */
const CERTAIN_VALUES: Readonly<Record<string, string>> = {
  INTEGER: '1000',
  FLOAT: '1000.5',
  OBJECT_ID: '5f0c2a9e4b7d1c3a6e8f9b01',
  STRING: '9b2d6c1e-4f0a-4c3b-8d5e-7a1f2b3c4d5e',
}

/** A path that belongs to a template: certain values in the places of its parameters. */
export function concretePath(template: string): string {
  return formatTemplate(
    splitPath(template).map((segment) => ({ kind: 'literal', value: CERTAIN_VALUES[segment] ?? segment })),
  )
}
