import type { Exchange } from '../../http/index.ts'
import { MessageView } from '../../rules/index.ts'
import { entriesOf, IDENTITY, isCalled, type Leaf, MAX_LIST } from './list-entries.ts'

/** Fields and parts of their paths that lead to further entries. */
const NEXT = /^(?:next.*|has_?(?:more|next)(?:_?page)?|is_?truncated|truncated|continuation.*|after|more)$/i
/** Fields that say whether the page is the last one. */
const LAST = /^(?:is_?)?last$/i
const PAGES = /^(?:total_?pages?|pages?|pages?_?(?:count|total)|num_?pages|last_?page|max_?page)$/i
const TOTAL = /^(?:total.*|count|item_?count|num_?results)$/i
const NEXT_HEADERS = /^x-(?:next|has-?(?:more|next)).*$/
const PAGES_HEADERS = /^(?:x-(?:pagination-)?)?(?:total-pages|pages?-count|last-page)$/
const TOTAL_HEADERS = /^(?:x-(?:pagination-|wp-)?|pagination-)?(?:total(?:-count|-items)?|count)$/
/** Two lists of one length, this or more, may be pages. */
const SMALLEST_PAGE = 5
/** Lists are cut at such numbers of entries. */
const FEWEST_OF_PAGE = 10
const STEP_OF_PAGES = 5

/** Values of a body that are read; an entry behind them is not seen. */
const MOST_LEAVES = 20_000

/** Whether nothing says that a list has more entries than those shown, one of which is called by an identifier. */
export function isWhole(list: Exchange, id: string): boolean {
  return hasNoMore(list, sizeOf(new MessageView(list).responseBody.leaves, list, id))
}

/** Whether nothing says that a list has more than this many entries. */
function hasNoMore(list: Exchange, entries: number): boolean {
  const view = new MessageView(list)
  const { leaves } = view.responseBody
  if (entries >= FEWEST_OF_PAGE && entries % STEP_OF_PAGES === 0) return false
  return (
    leaves.length < MOST_LEAVES &&
    !leaves.some((leaf) => !leaf.path.includes('[') && saysMore(leaf, entries)) &&
    !view.responseHeaders.some(({ name, values }) =>
      values.some((value) => headerSaysMore(name, value, entries)),
    )
  )
}

/**
 * Whether a list that is shown to somebody leaves an entry out that the same list has for its owner: it is a list as well,
 * and nothing says that it has more entries than those shown. Two lists of one length may be pages of that length.
 */
export function leavesOut(shown: Exchange, own: Exchange, id: string): boolean {
  if (shown.response.status !== 200 || shown.response.body.length > MAX_LIST) return false
  if (entriesOf(shown, id).length > 0) return false
  const array = entriesOf(own, id)[0]?.[0]?.path.split('[', 1)[0] ?? ''
  const { json, leaves } = new MessageView(shown).responseBody
  const entries = valueAt(json, array)
  const ofOwner = valueAt(new MessageView(own).responseBody.json, array)
  if (!Array.isArray(entries) || !Array.isArray(ofOwner)) return false
  if (entries.length >= SMALLEST_PAGE && entries.length === ofOwner.length) return false
  const isNamed = leaves.some(({ key, path }) => path.startsWith(`${array}[0]`) && IDENTITY.test(key))
  return (entries.length === 0 || isNamed) && hasNoMore(shown, entries.length)
}

function valueAt(tree: unknown, path: string): unknown {
  return path.split('.').reduce((value, key) => (value as Record<string, unknown> | null)?.[key], tree)
}

/** Number of entries in the array that has an object. */
function sizeOf(leaves: readonly Leaf[], list: Exchange, id: string): number {
  const sizes = entriesOf(list, id).map((entry) => {
    const { path } = entry.find(({ value }) => isCalled(value, id))!
    const array = path.slice(0, path.lastIndexOf('[') + 1)
    return new Set(
      leaves.flatMap((leaf) =>
        leaf.path.startsWith(array) ? [leaf.path.slice(array.length).split(']', 1)[0]] : [],
      ),
    ).size
  })
  return Math.min(...sizes)
}

function saysMore({ key, path, value }: Leaf, entries: number): boolean {
  if (value === null || value === '') return false
  if (path.split('.').some((part) => NEXT.test(part))) return value !== false
  if (LAST.test(key)) return value === false
  if (PAGES.test(key)) return Number(value) > 1
  return TOTAL.test(key) && Number(value) > entries
}

function headerSaysMore(name: string, value: string, entries: number): boolean {
  if (value === '' || value === 'false') return false
  if (name === 'link') return /rel\s*=\s*"?[^";,]*\bnext\b/i.test(value)
  if (name === 'x-pagination') return true
  if (name === 'content-range') return !(Number(/\/(\d+)$/.exec(value)?.[1]) <= entries)
  if (NEXT_HEADERS.test(name)) return true
  if (PAGES_HEADERS.test(name)) return Number(value) > 1
  return TOTAL_HEADERS.test(name) && Number(value) > entries
}
