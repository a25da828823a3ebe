import type { ChangeTopic } from '../../contract/index.ts'
import type { Store } from '../../store/index.ts'

/** State of one thing that pages show: another mark means that the thing changed. */
export interface Mark {
  readonly topic: ChangeTopic
  /** Tells the things of a topic apart. */
  readonly id: string
  /** Collections it is of; null when it is of all of them. */
  readonly collectionIds: readonly number[] | null
  /** Who may hear of it beside those who were granted its collections. */
  readonly login: string | null
  readonly mark: string
}

/** Endpoints discovered so long ago, in seconds, are not looked at; an engine commits within moments. */
const RECENT_SECONDS = 120
const DAY_SECONDS = 86_400

/**
 * Reads indexed rows only: every part is bounded by what is under way, by a number of latest rows, or by the number of
 * collections.
 */
const MARKS = `
  SELECT 'inventory' AS topic, 'c' || id AS id, ARRAY[id] AS "collectionIds", NULL AS login,
    concat_ws(':', last_traffic_at, is_deactivated, is_redacted, is_out_of_testing_scope, md5(name)) AS mark
  FROM collections
  UNION ALL
  SELECT 'inventory', 'all', NULL, NULL, count(*)::text FROM collections
  UNION ALL
  SELECT 'inventory', 'e' || collection_id, ARRAY[collection_id], NULL, max(id)::text
  FROM endpoints WHERE is_listed AND discovered_at > $1 - ${RECENT_SECONDS} GROUP BY collection_id
  UNION ALL
  SELECT * FROM (SELECT 'imports', id, CASE WHEN collection_id IS NULL THEN NULL ELSE ARRAY[collection_id] END, user_login,
      concat_ws(':', status, taken, skipped, duplicates, total)
    FROM imports ORDER BY created_at DESC, id DESC LIMIT 20) AS latest_imports
  UNION ALL
  SELECT 'runs', s.id, r.collection_ids, NULL,
    concat_ws(':', s.state, s.results_count, s.started_at, s.shards_at, s.stage, s.ended_at, r.state, r.name)
  FROM run_summaries s JOIN test_runs r ON r.id = s.run_id
  WHERE s.state IN ('SCHEDULED', 'RUNNING')
  UNION ALL
  SELECT * FROM (SELECT 'runs', 'ended' || id, collection_ids, NULL, concat_ws(':', state, ended_at, name)
    FROM test_runs ORDER BY ended_at DESC, id DESC LIMIT 20) AS ended_runs
  UNION ALL
  SELECT * FROM (SELECT 'runs', 'next' || id, collection_ids, NULL, concat_ws(':', state, scheduled_at, name)
    FROM test_runs ORDER BY scheduled_at DESC, id DESC LIMIT 20) AS next_runs
  UNION ALL
  SELECT 'issues', 'i' || i.collection_id, ARRAY[i.collection_id], NULL, max(h.id)::text
  FROM (SELECT id, issue_id FROM issue_history ORDER BY id DESC LIMIT 200) h JOIN issues i ON i.id = h.issue_id
  GROUP BY i.collection_id
  UNION ALL
  SELECT 'crawls', id, ARRAY[collection_id], NULL,
    concat_ws(':', status, accepted_urls, rejected_urls, captured_exchanges, steps)
  FROM crawls WHERE status IN ('PENDING', 'RUNNING', 'STOP_REQUESTED')
  UNION ALL
  SELECT * FROM (SELECT 'crawls', 'latest' || id, ARRAY[collection_id], NULL, status
    FROM crawls ORDER BY started_at DESC, id DESC LIMIT 20) AS latest_crawls
  UNION ALL
  SELECT 'threats', 't' || f.collection_id, ARRAY[f.collection_id], NULL,
    concat_ws(':', sum(c.events), sum(c.events::bigint * c.facet_id))
  FROM threat_daily_counts c JOIN threat_facets f ON f.id = c.facet_id
  WHERE c.day >= ($1 / ${DAY_SECONDS}) - 1 GROUP BY f.collection_id
  UNION ALL
  SELECT 'threats', 'actors', NULL, NULL, coalesce(max(id), 0)::text FROM threat_actor_changes`

/** What pages show, as it is now (epoch seconds). */
export async function readMarks(store: Store, now: number): Promise<Mark[]> {
  const { rows } = await store.pool.query<Mark>(MARKS, [now])
  return rows
}
