import { Table } from '@mantine/core'
import type { Row } from '@tanstack/react-table'
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react'
import classes from './data-table.module.css'

/** Pixels of a row before it was measured; cards of phones are higher. */
const estimatedHeight = 38
/** Rows kept above and below the screen. */
const beyond = 15

interface VirtualRowsProps<Of> {
  readonly rows: readonly Row<Of>[]
  readonly children: (row: Row<Of>) => ReactNode
}

/**
 * The body of a long table: rows near the screen, and space in place of the others. Every row tells its place among all
 * of them, and the row with the focus stays with its neighbours, however far the page is scrolled.
 */
export function VirtualRows<Of>({ rows, children }: VirtualRowsProps<Of>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  const [focused, setFocused] = useState<number | null>(null)
  useLayoutEffect(() => {
    const place = body.current?.getBoundingClientRect()
    if (place !== undefined) setTop(Math.round(place.top + window.scrollY))
  }, [])
  const rangeExtractor = useCallback(
    (range: Range) => {
      const near = defaultRangeExtractor(range)
      if (focused === null) return near
      const kept = [focused - 1, focused, focused + 1].filter((at) => at >= 0 && at < range.count)
      return [...new Set([...kept, ...near])].sort((a, b) => a - b)
    },
    [focused],
  )
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => estimatedHeight,
    overscan: beyond,
    scrollMargin: top,
    getItemKey: (at) => rows[at]?.id ?? at,
    rangeExtractor,
  })
  const items = virtual.getVirtualItems()
  let end = top
  return (
    <Table.Tbody
      ref={body}
      onFocus={(event) => setFocused(indexOf(event.target))}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setFocused(null)
      }}
    >
      {items.flatMap((item) => {
        const row = rows[item.index]
        if (row === undefined) return []
        const gap = item.start - end
        end = item.end
        return [
          <Space key={`before ${row.id}`} height={gap} />,
          <Table.Tr
            key={row.id}
            ref={virtual.measureElement}
            data-index={item.index}
            // The head is the first row.
            aria-rowindex={item.index + 2}
          >
            {children(row)}
          </Table.Tr>,
        ]
      })}
      <Space height={virtual.getTotalSize() + top - end} />
    </Table.Tbody>
  )
}

function Space({ height }: { height: number }) {
  return height <= 0 ? null : (
    <tr aria-hidden className={classes['space']}>
      <td style={{ height }} />
    </tr>
  )
}

/** Place of the row that an element is in; null outside of rows. */
function indexOf(element: Element): number | null {
  const at = element.closest('tr')?.dataset['index']
  return at === undefined ? null : Number(at)
}
