import type { TemplateMove } from '../../../path-templates/index.ts'
import type { Store } from '../../../store/index.ts'
import { applyMoves, isTemplateUrl } from '../moves/index.ts'
import {
  type CollectionState,
  EVIDENCE_COLUMNS,
  type EvidenceRow,
  endpointMark,
  IS_EVIDENCE,
  learnEndpoint,
  type Memory,
  revisionOf,
  saveAgain,
  takeOver,
} from '../place/index.ts'

/** Transactions that were open so long ago are committed: no endpoint below a mark of that age is missing. */
const SETTLED_MS = 10_000
/** Endpoints read at once; the next look reads on. */
const MAX_ROWS = 50_000

interface PlacedRow extends EvidenceRow {
  readonly collection_id: number
  readonly origin: string
}

/**
 * Reads what other processes on the same database learned about paths: the endpoints that they write with every batch,
 * and the evidence that they save, including people's decisions. All processes reach the same templates, and nothing is
 * lost when one is killed.
 */
export class EvidenceWatch {
  readonly #store: Store
  readonly #memory: Memory
  /** Ids up to which endpoints were read, and when; the oldest one first. */
  readonly #marks: { readonly id: number; readonly atMs: number }[] = []

  constructor(store: Store, memory: Memory) {
    this.#store = store
    this.#memory = memory
  }

  async begin(): Promise<void> {
    const id = await endpointMark(this.#store)
    this.#marks.push({ id, atMs: performance.now() })
    // Of the newest ones some may be missing yet; to read one again changes nothing.
    this.#memory.learnedTo = Math.max(0, id - MAX_ROWS)
  }

  /**
   * Takes over what others learned, and moves the endpoints that stand elsewhere then; only between transactions.
   *
   * @param flush brings counts on their way to the tables, before states that hold them are dropped
   * @returns whether the tries are to be judged anew
   */
  async refresh(writer: string, flush: () => Promise<void>): Promise<boolean> {
    if (this.#store.kind === 'embedded') return false
    const saved = await this.#savedByOthers()
    if (saved.length > 0) await flush()
    for (const { collection_id: id, origin } of saved) {
      const collection = this.#memory.collections.get(id)!
      await this.#move(collection, origin, (await takeOver(this.#store, collection, origin)) ?? [], writer)
    }
    return (await this.#learnEndpoints(writer, flush)) || saved.length > 0
  }

  async #savedByOthers(): Promise<{ collection_id: number; origin: string }[]> {
    const known = [...this.#memory.collections.values()].flatMap((collection) =>
      [...collection.tries.keys()].map((origin) => ({
        ...{ id: collection.id, origin },
        ...revisionOf(collection, origin),
      })),
    )
    if (known.length === 0) return []
    const { rows } = await this.#store.pool.query<{
      collection_id: number
      origin: string
      is_newer: boolean
    }>(
      `SELECT e.collection_id, e.origin, e.revision <> k.revision AS is_newer FROM path_evidence e
       JOIN unnest($1::integer[], $2::text[], $3::bigint[], $4::text[]) AS k (id, origin, revision, saved_by)
         ON e.collection_id = k.id AND e.origin = k.origin
       WHERE e.revision <> k.revision OR e.writer || ' ' || e.saved_at <> k.saved_by`,
      [
        ...[known.map(({ id }) => id), known.map(({ origin }) => origin)],
        ...[known.map(({ revision }) => revision), known.map(({ saved_by }) => saved_by)],
      ],
    )
    // A process of the version before wrote over a save without joining it: what was saved then is written again.
    for (const { collection_id: id, origin, is_newer: isNewer } of rows)
      if (!isNewer) saveAgain(this.#memory.collections.get(id)!, origin)
    return rows.filter((row) => row.is_newer)
  }

  async #learnEndpoints(writer: string, flush: () => Promise<void>): Promise<boolean> {
    const { collections } = this.#memory
    let isNew = false
    const all = [...this.#misplacedRows(), ...(await this.#laterRows())]
    for (const [collectionId, rows] of Map.groupBy(all, (row) => row.collection_id)) {
      const collection = collections.get(collectionId)
      for (const [origin, ofOrigin] of Map.groupBy(rows, (row) => row.origin)) {
        const trie = collection?.tries.get(origin)
        if (collection === undefined || trie === undefined) continue
        const moves: TemplateMove[] = []
        for (const row of ofOrigin) {
          const move = learnEndpoint(trie, row, origin)
          if (move !== null) moves.push(move)
        }
        if (moves.some(({ from }) => isTemplateUrl(from))) await flush()
        await this.#move(collection, origin, moves, writer)
        isNew ||= trie.hasNews
      }
    }
    return isNew
  }

  /** Endpoints to look at again: those of tries that were read since the last look. */
  #misplacedRows(): PlacedRow[] {
    const found: PlacedRow[] = []
    for (const { id, misplaced } of this.#memory.collections.values()) {
      for (const [origin, rows] of misplaced)
        for (const row of rows) found.push({ ...row, collection_id: id, origin })
      misplaced.clear()
    }
    return found
  }

  async #laterRows(): Promise<PlacedRow[]> {
    const atMs = performance.now()
    const { collections, learnedTo } = this.#memory
    const newest = await endpointMark(this.#store)
    const { rows } = await this.#store.pool.query<PlacedRow & { id: number }>(
      `SELECT id, collection_id, origin, ${EVIDENCE_COLUMNS} FROM endpoints
       WHERE id > $1 AND collection_id = ANY ($2::integer[]) AND ${IS_EVIDENCE} ORDER BY id LIMIT $3`,
      [learnedTo, [...collections.keys()], MAX_ROWS],
    )
    const isMore = rows.length === MAX_ROWS
    const id = isMore ? rows.at(-1)!.id : newest
    if (isMore) this.#memory.learnedTo = id
    this.#marks.push({ id, atMs })
    while (this.#marks[0]!.atMs < atMs - SETTLED_MS)
      this.#memory.learnedTo = Math.max(this.#memory.learnedTo, this.#marks.shift()!.id)
    return rows
  }

  async #move(
    collection: CollectionState,
    origin: string,
    moves: readonly TemplateMove[],
    writer: string,
  ): Promise<void> {
    const trie = collection.tries.get(origin)
    if (trie === undefined || moves.length === 0) return
    await applyMoves(this.#store, collection, origin, trie, moves, {
      kind: 'MERGE',
      decidedBy: 'engine',
      writer,
    })
  }
}
