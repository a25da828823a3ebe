/**
 * Committed changes are notified on the channel vigil_news, with a topic of `NewsTopic` as payload. Notifications of one
 * transaction are joined by topic; a topic that a version does not know is ignored.
 */

/** Rows that were inserted, by table; what inserts none tells nothing. */
const INSERTS: readonly (readonly [topic: string, tables: readonly string[]])[] = [
  ['alerts', ['outgoing_messages']],
  ['crawls', ['crawls']],
  ['filters', ['filter_templates']],
  ['logins', ['recorded_flows']],
  ['pages', ['endpoints', 'imports', 'issue_history', 'threat_events', 'threat_actor_changes']],
  ['paths', ['path_evidence', 'template_moves']],
  ['reports', ['report_definitions']],
  ['risks', ['risk_changes']],
  ['runs', ['test_runs', 'run_summaries', 'run_shards']],
  ['settings', ['settings', 'collections', 'custom_data_types']],
]

/** Rows that were updated, when one of these columns has another value than before. */
const UPDATES: readonly (readonly [topic: string, table: string, columns: readonly string[]])[] = [
  ['alerts', 'outgoing_messages', ['state']],
  ['blocks', 'threat_actors', ['status', 'status_until']],
  ['crawls', 'crawls', ['status']],
  ['filters', 'filter_templates', ['content', 'is_removed', 'state']],
  ['logins', 'recorded_flows', ['state']],
  ['pages', 'collections', ['last_traffic_at']],
  ['pages', 'crawls', ['accepted_urls', 'rejected_urls', 'captured_exchanges', 'steps']],
  ['pages', 'imports', ['status', 'taken', 'skipped', 'duplicates', 'total']],
  ['pages', 'run_summaries', ['results_count']],
  ['pages', 'test_runs', ['ended_at', 'name']],
  ['paths', 'path_evidence', ['revision']],
  ['reports', 'report_definitions', ['status']],
  ['runs', 'run_summaries', ['state', 'shards_at', 'stage', 'left_out_at']],
  ['runs', 'test_runs', ['state', 'scheduled_at']],
  [
    'settings',
    'collections',
    ['name', 'host_name', 'is_deactivated', 'is_redacted', 'is_out_of_testing_scope'],
  ],
  ['settings', 'custom_data_types', ['definition', 'is_active']],
  ['settings', 'settings', ['value']],
]

const DELETES: readonly (readonly [topic: string, table: string])[] = [
  ['blocks', 'threat_actors'],
  ['filters', 'filter_templates'],
  ['settings', 'collections'],
  ['settings', 'custom_data_types'],
]

const FUNCTIONS = `
CREATE FUNCTION tell_news() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('vigil_news', TG_ARGV[0]);
  RETURN NULL;
END
$$;

CREATE FUNCTION tell_news_of_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM changed_rows) THEN
    PERFORM pg_notify('vigil_news', TG_ARGV[0]);
  END IF;
  RETURN NULL;
END
$$;
`

function onInsert(topic: string, table: string): string {
  return `
CREATE TRIGGER ${table}_news_inserted AFTER INSERT ON ${table}
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION tell_news_of_rows('${topic}');`
}

function onUpdate(topic: string, table: string, columns: readonly string[]): string {
  const before = columns.map((column) => `OLD.${column}`).join(', ')
  const after = columns.map((column) => `NEW.${column}`).join(', ')
  return `
CREATE TRIGGER ${table}_news_${topic} AFTER UPDATE ON ${table}
  FOR EACH ROW WHEN ((${before}) IS DISTINCT FROM (${after})) EXECUTE FUNCTION tell_news('${topic}');`
}

function onDelete(topic: string, table: string): string {
  return `
CREATE TRIGGER ${table}_news_deleted AFTER DELETE ON ${table}
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION tell_news_of_rows('${topic}');`
}

/** An actor gets a row with its first event, too; a change is one that has a status. */
const BLOCKED_ACTOR = `
CREATE TRIGGER threat_actors_news_inserted AFTER INSERT ON threat_actors
  FOR EACH ROW WHEN (NEW.status <> 'active') EXECUTE FUNCTION tell_news('blocks');`

export const news = [
  FUNCTIONS,
  ...INSERTS.flatMap(([topic, tables]) => tables.map((table) => onInsert(topic, table))),
  ...UPDATES.map((update) => onUpdate(...update)),
  ...DELETES.map((removal) => onDelete(...removal)),
  BLOCKED_ACTOR,
].join('\n')
