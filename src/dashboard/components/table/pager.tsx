import { Group, Pagination, Select, Text } from '@mantine/core'
import { useLastPage } from '../../data/list-address.ts'
import { countText } from '../../data/words.ts'
import { usePageText } from '../../i18n/use-page-text.ts'

interface PagerProps {
  /** Counted from 0. */
  readonly page: number
  readonly pageSize: number
  /** Undefined while it is not known. */
  readonly total: number | undefined
  /** Rows on this page; undefined until they are there. */
  readonly shown: number | undefined
  /** False when there are more than were counted. */
  readonly isTotalExact?: boolean
  readonly onPage: (page: number) => void
  readonly onPageSize: (size: number) => void
  /** What is counted: "endpoints". */
  readonly what: string
  /** Offered besides the usual ones: for lists whose rows are all in the browser. */
  readonly moreSizes?: readonly number[]
}

const controls = {
  first: 'pager.first',
  previous: 'pager.previous',
  next: 'pager.next',
  last: 'pager.last',
} as const
const sizes = [25, 50, 100, 200]

/** Sizes that are offered, with those that only some lists or addresses have. */
function sizesWith(others: readonly number[]): number[] {
  return [...new Set([...sizes, ...others])].sort((a, b) => a - b)
}

/** Which rows of how many, and the way to the others; nothing of an empty list. A page past the end of the list turns to the last one. */
export function Pager({
  page,
  pageSize,
  total,
  shown,
  isTotalExact = true,
  onPage,
  onPageSize,
  what,
  moreSizes = [],
}: PagerProps) {
  const t = usePageText()
  useLastPage({ page, pageSize, rows: shown, total }, onPage)
  // What there is instead, the list says.
  if (total === 0) return null
  const pages = total === undefined ? page + 1 : Math.max(1, Math.ceil(total / pageSize))
  const first = page * pageSize + 1
  const last = Math.min(total ?? Number.POSITIVE_INFINITY, (page + 1) * pageSize)
  return (
    <Group justify="space-between" p="sm" gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {t('pager.range', {
          first: countText(first),
          last: countText(last),
          count: total ?? Number.NaN,
          total: `${countText(total)}${isTotalExact ? '' : '+'}`,
          what,
        })}
      </Text>
      <Group gap="sm">
        <Select
          size="xs"
          w={112}
          aria-label={t('pager.rows')}
          allowDeselect={false}
          data={sizesWith([...moreSizes, pageSize]).map((size) => ({
            value: String(size),
            label: t('pager.size', { size }),
          }))}
          value={String(pageSize)}
          onChange={(size) => size && onPageSize(Number(size))}
        />
        {pages > 1 && (
          <Pagination
            size="sm"
            total={pages}
            value={page + 1}
            onChange={(next) => onPage(next - 1)}
            getControlProps={(control) => ({ 'aria-label': t(controls[control]) })}
            getItemProps={(item) => ({ 'aria-label': t('pager.page', { page: item }) })}
          />
        )}
      </Group>
    </Group>
  )
}
