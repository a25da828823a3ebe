import { matchesSearch, type Searchable } from '../../contract/browser.ts'
import type { ResultSeverity, Store, TestAttributes, TestOrigin } from '../../store/index.ts'

/** A test as lists show it. */
export interface CatalogueEntry {
  id: string
  source: TestOrigin
  /** YAML. */
  content: string
  name: string
  description: string | null
  details: string | null
  impact: string | null
  category: string
  categoryDisplay: string
  categoryShort: string
  severity: ResultSeverity
  tags: string[]
  links: string[]
  cwe: string[]
  cve: string[]
  /** Standard to its clauses; null when unmapped. */
  compliance: Record<string, string[]> | null
  /** Markdown of the test's own; null without. */
  remediation: string | null
  attributes: TestAttributes | null
  author: string | null
  isInactive: boolean
  updatedAt: number
}

/** What an issue is about: a test, or a rule of another scanner. */
export type DescribedTest = Omit<
  CatalogueEntry,
  'source' | 'content' | 'attributes' | 'author' | 'isInactive' | 'updatedAt'
>

/** A category that tests name. */
interface CatalogueCategory {
  name: string
  displayName: string
  shortName: string
}

/** The tests of this installation: library, imported, custom. */
export interface TemplateCatalogue {
  /** One page by id. */
  page(selection: { activeOnly: boolean; skip: number; limit: number }): Promise<CatalogueEntry[]>
  /** Those of these ids that exist, by id. */
  byIds(ids: readonly string[]): Promise<CatalogueEntry[]>
  /** What is found by these, tests and rules of other scanners, as far as they exist, by id. */
  described(ids: readonly string[]): Promise<DescribedTest[]>
  /** Every category that a test names, by name. */
  categories(): Promise<CatalogueCategory[]>
  /** Ids of the tests of these categories. */
  idsOfCategories(categories: readonly string[]): Promise<string[]>
  /** Ids of the tests that somebody searches for: by id, name, category, CWE, clause of a standard or synonym. */
  idsBySearch(text: string): Promise<string[]>
  /** Ids of the tests that are mapped to any of these standards. */
  idsByStandards(standards: readonly string[]): Promise<string[]>
  /** How to remedy what a test finds, in Markdown; null for an unknown test or one without. */
  remediation(id: string): Promise<string | null>
}

const COLUMNS = `t.id, t.source, t.content, t.name, t.description, t.details, t.impact, t.category,
  t.category_display AS "categoryDisplay", t.category_short AS "categoryShort", t.severity, t.tags, t.links, t.cwe,
  t.cve, t.compliance, t.remediation, t.attributes, t.author,
  coalesce(t.is_switched_off, t.is_inactive) AS "isInactive", t.updated_at AS "updatedAt"`

/** The catalogue as the store keeps it. Tests of word-list fuzzing, which no list shows, are left out. */
export class StoredCatalogue implements TemplateCatalogue {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  async page(selection: { activeOnly: boolean; skip: number; limit: number }): Promise<CatalogueEntry[]> {
    const { rows } = await this.#store.pool.query<CatalogueEntry>(
      `SELECT ${COLUMNS} FROM test_templates t
       WHERE t.name <> 'FUZZING' AND (NOT $1::boolean OR NOT coalesce(t.is_switched_off, t.is_inactive))
       ORDER BY t.id OFFSET $2 LIMIT $3`,
      [selection.activeOnly, selection.skip, selection.limit],
    )
    return rows
  }

  async byIds(ids: readonly string[]): Promise<CatalogueEntry[]> {
    const { rows } = await this.#store.pool.query<CatalogueEntry>(
      `SELECT ${COLUMNS} FROM test_templates t WHERE t.id = ANY ($1::text[]) ORDER BY t.id`,
      [ids],
    )
    return rows
  }

  async described(ids: readonly string[]): Promise<DescribedTest[]> {
    const { rows } = await this.#store.pool.query<DescribedTest>(
      `SELECT id, name, description, details, impact, category, category_display AS "categoryDisplay",
         category_short AS "categoryShort", severity, tags, links, cwe, cve, compliance, remediation
       FROM described_tests WHERE id = ANY ($1::text[]) ORDER BY id`,
      [ids],
    )
    return rows
  }

  async categories(): Promise<CatalogueCategory[]> {
    const { rows } = await this.#store.pool.query<CatalogueCategory>(
      `SELECT DISTINCT ON (category) category AS name, category_display AS "displayName",
         category_short AS "shortName" FROM test_templates WHERE name <> 'FUZZING' ORDER BY category, id`,
    )
    return rows
  }

  async idsOfCategories(categories: readonly string[]): Promise<string[]> {
    return this.#ids('t.category = ANY ($1::text[])', categories)
  }

  async idsBySearch(text: string): Promise<string[]> {
    const { rows } = await this.#store.pool.query<Searchable>(
      `SELECT t.id, t.name, ARRAY[t.category, t.category_display, t.category_short] AS category,
         t.cwe || t.tags || ARRAY(SELECT jsonb_path_query(t.compliance, '$.*[*]') #>> '{}') AS "references"
       FROM test_templates t ORDER BY t.id`,
    )
    return rows.filter((row) => matchesSearch(row, text)).map(({ id }) => id)
  }

  async idsByStandards(standards: readonly string[]): Promise<string[]> {
    return this.#ids('t.compliance ?| $1::text[]', standards)
  }

  async remediation(id: string): Promise<string | null> {
    const { rows } = await this.#store.pool.query<{ remediation: string | null }>(
      'SELECT remediation FROM test_templates WHERE id = $1',
      [id],
    )
    return rows[0]?.remediation ?? null
  }

  async #ids(condition: string, value: unknown): Promise<string[]> {
    const { rows } = await this.#store.pool.query<{ id: string }>(
      `SELECT t.id FROM test_templates t WHERE ${condition} ORDER BY t.id`,
      [value],
    )
    return rows.map((row) => row.id)
  }
}

/** A test to be kept. */
export type NewCatalogueEntry = Omit<CatalogueEntry, 'isInactive' | 'updatedAt'> & {
  /** Path within its library; null for those written in the dashboard. */
  readonly file: string | null
  readonly contentHash: string
  /** What the file says; a person's choice stays as it is. */
  readonly isInactive: boolean
}

/** Keeps tests; of one that is kept already everything but a person's choice of active or not is replaced. */
export async function keepTemplates(
  store: Store,
  entries: readonly NewCatalogueEntry[],
  at: number,
): Promise<void> {
  if (entries.length === 0) return
  await store.pool.query(
    `INSERT INTO test_templates (id, source, file, content, content_hash, name, description, details, impact, category,
       category_display, category_short, severity, tags, links, cwe, cve, compliance, remediation, attributes, author,
       is_inactive, created_at, updated_at)
     SELECT e.id, e.source, e.file, e.content, e."contentHash", e.name, e.description, e.details, e.impact, e.category,
       e."categoryDisplay", e."categoryShort", e.severity, e.tags, e.links, e.cwe, e.cve, e.compliance, e.remediation,
       e.attributes, e.author, e."isInactive", $2, $2
     FROM jsonb_to_recordset($1::jsonb) AS e (id text, source text, file text, content text, "contentHash" text,
       name text, description text, details text, impact text, category text, "categoryDisplay" text,
       "categoryShort" text, severity text, tags text[], links text[], cwe text[], cve text[], compliance jsonb,
       remediation text, attributes jsonb, author text, "isInactive" boolean)
     ON CONFLICT (id) DO UPDATE SET source = excluded.source, file = excluded.file, content = excluded.content,
       content_hash = excluded.content_hash, name = excluded.name, description = excluded.description,
       details = excluded.details, impact = excluded.impact, category = excluded.category,
       category_display = excluded.category_display, category_short = excluded.category_short,
       severity = excluded.severity, tags = excluded.tags, links = excluded.links, cwe = excluded.cwe,
       cve = excluded.cve, compliance = excluded.compliance, remediation = excluded.remediation,
       attributes = excluded.attributes, author = excluded.author, is_inactive = excluded.is_inactive,
       updated_at = excluded.updated_at`,
    [JSON.stringify(entries), at],
  )
}
