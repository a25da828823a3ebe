import type { Queryable } from '../../store/index.ts'
import { BLOCKED } from './actor-status.ts'

/** Where an actor attacked: one endpoint as the traffic named it. */
interface ActorPlace {
  readonly method: string
  readonly host: string
  readonly path: string
  readonly collectionId: number
  readonly events: number
  readonly filterIds: readonly string[]
  readonly firstSeen: number
  readonly lastSeen: number
}

/** Events that follow each other without a long pause. */
interface ActorSession {
  readonly startedAt: number
  readonly endedAt: number
  readonly events: number
  readonly endpoints: number
  readonly worstSeverity: string
  readonly filterIds: readonly string[]
}

/** What an actor did, as far as a caller may see. */
interface ActorOverview {
  readonly events: number
  readonly places: readonly ActorPlace[]
  /** The newest first. */
  readonly sessions: readonly ActorSession[]
  /** Null unless the actor is blocked now. */
  readonly block: {
    readonly since: number
    readonly until: number
    readonly events: number
    readonly lastEventAt: number
  } | null
}

const MAX_PLACES = 100
const MAX_SESSIONS = 50
/** Sessions are made of the newest events; older ones are only counted. */
const MAX_EVENTS = 5_000
/** A longer pause ends a session. */
const SESSION_PAUSE_SECONDS = 1_800

interface ActorRow {
  readonly id: number
  readonly status: string
  readonly statusAt: number
  readonly until: number
}

/** What an actor did; null when it is unknown, or when it did nothing that a restricted caller may see. */
export async function actorOverview(
  db: Queryable,
  actor: string,
  visible: readonly number[] | null,
  now: number,
): Promise<ActorOverview | null> {
  const { rows } = await db.query<ActorRow>(
    'SELECT id, status, status_at AS "statusAt", status_until AS until FROM threat_actors WHERE actor = $1',
    [actor],
  )
  const [row] = rows
  if (row === undefined) return null
  const counted = await countSince(db, row.id, visible, 0)
  if (visible !== null && counted.events === 0) return null
  const isBlocked = row.status === BLOCKED && (row.until === 0 || row.until > now)
  const since = isBlocked ? await countSince(db, row.id, visible, row.statusAt) : null
  return {
    events: counted.events,
    places: await placesOf(db, row.id, visible),
    sessions: await sessionsOf(db, row.id, visible),
    block:
      since === null
        ? null
        : { since: row.statusAt, until: row.until, events: since.events, lastEventAt: since.last ?? 0 },
  }
}

async function countSince(
  db: Queryable,
  actorId: number,
  visible: readonly number[] | null,
  after: number,
): Promise<{ events: number; last: number | null }> {
  const { rows } = await db.query<{ events: number; last: number | null }>(
    `SELECT count(*)::integer AS events, max(e.detected_at) AS last
     FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id
     WHERE e.actor_id = $1 AND e.detected_at > $3 AND ($2::integer[] IS NULL OR f.collection_id = ANY ($2))`,
    [actorId, visible, after],
  )
  return rows[0]!
}

async function placesOf(
  db: Queryable,
  actorId: number,
  visible: readonly number[] | null,
): Promise<ActorPlace[]> {
  const { rows } = await db.query<ActorPlace>(
    `SELECT a.method, a.host, a.path, f.collection_id AS "collectionId", count(*)::integer AS events,
       array_agg(DISTINCT k.filter_id) AS "filterIds", min(e.detected_at) AS "firstSeen", max(e.detected_at) AS "lastSeen"
     FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id
       JOIN threat_apis a ON a.id = e.api_id
     WHERE e.actor_id = $1 AND ($2::integer[] IS NULL OR f.collection_id = ANY ($2))
     GROUP BY 1, 2, 3, 4 ORDER BY events DESC, 3, 1, 2, 4 LIMIT ${MAX_PLACES}`,
    [actorId, visible],
  )
  return rows
}

interface SessionEvent {
  readonly at: number
  readonly apiId: number
  readonly filterId: string
  readonly severity: string
  readonly rank: number
}

async function sessionsOf(
  db: Queryable,
  actorId: number,
  visible: readonly number[] | null,
): Promise<ActorSession[]> {
  const { rows } = await db.query<SessionEvent>(
    `SELECT e.detected_at AS at, e.api_id AS "apiId", k.filter_id AS "filterId", k.severity, k.severity_rank AS rank
     FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id
     WHERE e.actor_id = $1 AND ($2::integer[] IS NULL OR f.collection_id = ANY ($2))
     ORDER BY e.detected_at DESC, e.id DESC LIMIT ${MAX_EVENTS}`,
    [actorId, visible],
  )
  return sessionsIn(rows).slice(0, MAX_SESSIONS)
}

/** Sessions of events, both the newest first. */
function sessionsIn(events: readonly SessionEvent[]): ActorSession[] {
  const groups: SessionEvent[][] = []
  for (const event of events) {
    const group = groups.at(-1)
    if (group !== undefined && group.at(-1)!.at - event.at <= SESSION_PAUSE_SECONDS) group.push(event)
    else groups.push([event])
  }
  return groups.map((group) => ({
    startedAt: group.at(-1)!.at,
    endedAt: group[0]!.at,
    events: group.length,
    endpoints: new Set(group.map(({ apiId }) => apiId)).size,
    worstSeverity: group.reduce((worst, one) => (one.rank > worst.rank ? one : worst)).severity,
    filterIds: [...new Set(group.map(({ filterId }) => filterId))].sort(),
  }))
}
