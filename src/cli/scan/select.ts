import type { Client, EndpointKey, TestTemplate } from '../../contract/index.ts'
import { Failure, nearestWord } from '../../kit/index.ts'
import { pathOf } from './path-of.ts'
import type { ScanOptions } from './scan-options.ts'

const PAGE = 1000

/** All active tests of an installation, by id. */
export async function activeTests(client: Client): Promise<Map<string, TestTemplate>> {
  const tests = new Map<string, TestTemplate>()
  for (let skip = 0; ; skip += PAGE) {
    const page = await client.op.fetchAllSubCategories({
      mode: 'runTests',
      fetchOnlyActive: true,
      skip,
      limit: PAGE,
    })
    const templates = page.subCategories ?? []
    for (const template of templates) tests.set(template.name, template)
    if (templates.length < PAGE) return tests
  }
}

/**
 * Ids of the tests that fit every selection.
 *
 * @throws Failure BAD_COMMAND for a word that no test knows, or when none is left
 */
export function selectTests(all: ReadonlyMap<string, TestTemplate>, select: ScanOptions['select']): string[] {
  const { tests, categories, severities, tags } = select
  requireKnown('--tests', tests, [...all.keys()])
  requireKnown('--categories', categories, [...all.values()].flatMap(categoryWords))
  requireKnown('--tags', tags, [...all.values()].flatMap(tagWords))
  const selected = [...all.values()].filter(
    (test) =>
      (tests.length === 0 || tests.includes(test.name)) &&
      (categories.length === 0 || categoryWords(test).some((word) => categories.includes(word))) &&
      (severities.length === 0 || severities.includes(test.superCategory.severity._name)) &&
      (tags.length === 0 || tagWords(test).some((word) => tags.includes(word))),
  )
  if (selected.length === 0) throw new Failure('BAD_COMMAND', { reason: 'no test fits the whole selection' })
  return selected.map(({ name }) => name)
}

function requireKnown(option: string, words: readonly string[], known: readonly string[]): void {
  const set = new Set(known)
  const wrong = words.find((word) => !set.has(word))
  if (wrong === undefined) return
  const nearest = nearestWord(wrong, [...set])
  const hint = nearest === null ? '' : `; did you mean ${nearest}?`
  throw new Failure('BAD_COMMAND', { reason: `${option}: no test knows ${wrong}${hint}` })
}

function categoryWords({ superCategory: { name, displayName, shortName } }: TestTemplate): string[] {
  return [name, displayName, shortName].map((word) => word.toLowerCase())
}

function tagWords({ issueTags, cwe }: TestTemplate): string[] {
  return [...issueTags, ...cwe].map((word) => word.toLowerCase())
}

/**
 * The endpoints of a collection that fit the selection, or null for all of them.
 *
 * @throws Failure BAD_COMMAND when none fits
 */
export async function selectEndpoints(
  client: Client,
  collectionId: number,
  { paths, methods }: ScanOptions['select'],
): Promise<EndpointKey[] | null> {
  if (paths.length === 0 && methods.length === 0) return null
  const answer = await client.op.fetchCollectionWiseApiEndpoints({ apiCollectionId: collectionId })
  const patterns = paths.map(pathPattern)
  const fitting = (answer.listOfEndpointsInCollection ?? []).filter(
    ({ method, url }) =>
      (methods.length === 0 || methods.includes(method)) &&
      (patterns.length === 0 || patterns.some((pattern) => pattern.test(pathOf(url)))),
  )
  if (fitting.length === 0)
    throw new Failure('BAD_COMMAND', { reason: 'no endpoint fits --path and --method' })
  return fitting
}

/** `*` stands for any part of a segment, `**` for any number of segments. */
function pathPattern(glob: string): RegExp {
  const source = glob
    .split(/(\*{1,2})/)
    .map((part) =>
      part === '**' ? '.*' : part === '*' ? '[^/]*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('')
  return new RegExp(`^${source}$`)
}
