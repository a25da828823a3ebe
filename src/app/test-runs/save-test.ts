import { Failure, nowSeconds } from '../../kit/index.ts'
import { entryOf, readYaml, type YamlMap } from '../../rules/index.ts'
import type { Store } from '../../store/index.ts'
import { keepCases, keepTemplates, noteCopy, StoredCatalogue } from '../../testing/index.ts'
import { readSentCases } from '../template-cases/try-cases.ts'
import { catalogueEntry } from './catalogue-entry.ts'
import { readSentTemplate, type WireProblem, wireProblem } from './sent-template.ts'

/** Keys of info that a test which is saved must have, as the interface words them. */
const INFO_KEYS = [
  ['name', 'name'],
  ['description', 'description'],
  ['details', 'details'],
  ['category', 'category'],
  ['severity', 'severity'],
  ['subCategory', 'subcategory'],
] as const

/** A test that somebody wrote. */
export interface WrittenTest {
  readonly content: string
  /** Id of the test that it replaces, or that a new one was made from; null for none. */
  readonly replaces: string | null
  readonly author: string
  /** Its cases in YAML, '' for none; null leaves those that are kept. */
  readonly cases: string | null
}

/**
 * Saves a test that was written in the dashboard.
 *
 * @returns its id, and its warnings
 * @throws Failure TEMPLATE_INFO_ABSENT, TEMPLATE_KEY_ABSENT, INVALID_TEST_TEMPLATE, INVALID_TEST_CASES,
 *   TEMPLATE_ID_TAKEN
 */
export async function saveTest(
  store: Store,
  { content, replaces, author, cases }: WrittenTest,
): Promise<{ id: string; problems: WireProblem[] }> {
  requireInfo(content)
  const { template, problems } = readSentTemplate(content)
  const isEmpty = cases === null || cases.trim() === ''
  if (!isEmpty) readSentCases(cases)
  const [known] = await new StoredCatalogue(store).byIds([template.id])
  const isOwn = known?.source === 'CUSTOM' && replaces === template.id
  if (known !== undefined && !isOwn) throw new Failure('TEMPLATE_ID_TAKEN', {})
  const origin = { source: 'CUSTOM', file: null, author: known?.author ?? author, remediation: null } as const
  await keepTemplates(store, [catalogueEntry(template, content, origin)], nowSeconds())
  if (replaces && replaces !== template.id) await noteCopy(store, template.id, replaces)
  if (cases !== null) await keepCases(store, template.id, isEmpty ? null : cases)
  return { id: template.id, problems: problems.map((one) => wireProblem(one, null)) }
}

/** @throws Failure TEMPLATE_INFO_ABSENT, TEMPLATE_KEY_ABSENT */
function requireInfo(content: string): void {
  const { root } = readYaml(content)
  if (root === null || root.kind !== 'map') return // said with its place when the test is read
  const info = entryOf(root, 'info')
  if (info === undefined || info.kind !== 'map') throw new Failure('TEMPLATE_INFO_ABSENT', {})
  const missing = INFO_KEYS.find(([key]) => lacksKey(info, key))
  if (missing !== undefined) throw new Failure('TEMPLATE_KEY_ABSENT', { key: missing[1] })
}

function lacksKey(info: YamlMap, key: string): boolean {
  const node = entryOf(info, key)
  return node === undefined || (node.kind === 'scalar' && (node.value === null || node.value === ''))
}
