import type { Issue, IssueGroup, TestTemplate } from '../../../contract/browser.ts'
import { testTitle } from '../../data/use-tests.ts'

/** Where the mistake behind an issue sits, in words; empty for an endpoint, which is shown as such. */
export function causeText({ causeScope, causePlace }: Pick<Issue, 'causeScope' | 'causePlace'>): string {
  if (causeScope === 'collection') return 'One collection'
  if (causePlace === '') return ''
  if (causeScope === 'host') return `Host ${causePlace}`
  return partNames(causePlace)
}

/** `query url` as `Query parameter url`; several are joined. */
export function partNames(place: string): string {
  const words = place
    .split(', ')
    .map((part) =>
      part
        .replace(/^query /, 'query parameter ')
        .replace(/^body /, 'body field ')
        .replace(/^path$/, 'path parameter'),
    )
    .join(', ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Endpoints that an issue was found at and still is. */
export function endpointsOf({ issueIds }: Pick<IssueGroup, 'issueIds'>): number {
  return new Set(issueIds.map(({ apiInfoKey: key }) => `${key.apiCollectionId} ${key.method} ${key.url}`))
    .size
}

/**
 * The title of the test; of several tests, what their titles begin with ("SQL injection"), or the title of the one that
 * stands for them where they have no class of weakness in common.
 */
export function groupTitle(byId: ReadonlyMap<string, TestTemplate>, group: IssueGroup): string {
  const own = testTitle(byId, group.issue.id.testSubCategory)
  const titles = group.testSubCategories.map((id) => testTitle(byId, id))
  return commonClass([own, ...titles]) ?? own
}

/** Words that end a class of weakness in the title of a test: `SQL injection (error-based) in query parameter`. */
const VARIANT = /(?::.*| \([^)]*$| (?:in|via|with|to|by|from)$)/

/** The class of weakness that titles share, of two words or more; null without one. */
function commonClass(titles: readonly string[]): string | null {
  const [first = [], ...others] = titles.map((title) => title.split(' '))
  const end = first.findIndex((word, at) => others.some((words) => words[at] !== word))
  const shared = (end < 0 ? first : first.slice(0, end)).join(' ')
  const name = end < 0 ? shared : shared.replace(VARIANT, '')
  return name.includes(' ') ? name : null
}

/** Whether the mistake is one of many endpoints. */
export function isWide({ causeScope }: Pick<Issue, 'causeScope'>): boolean {
  return causeScope === 'host' || causeScope === 'collection'
}
