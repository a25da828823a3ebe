import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { countOf } from '../../data/words.ts'
import { notifyFailure } from '../feedback/notify-failure.ts'

interface SelectAllProps<Row> {
  /** Rows over all pages. */
  readonly total: number
  /** False when there are more. */
  readonly isTotalExact?: boolean
  /** One of them in words. */
  readonly what: string
  /** Reads the rows of all pages that meet the filters. */
  readonly fetchEvery: () => Promise<readonly Row[]>
  readonly onSelected: (rows: readonly Row[]) => void
}

/** Selects the rows of all pages that meet the filters. */
export function SelectAll<Row>({
  total,
  isTotalExact = true,
  what,
  fetchEvery,
  onSelected,
}: SelectAllProps<Row>) {
  const read = useMutation({ mutationFn: fetchEvery, onSuccess: onSelected, onError: notifyFailure })
  return (
    <Button size="xs" variant="light" loading={read.isPending} onClick={() => read.mutate()}>
      {isTotalExact ? `Select all ${countOf(total, what)}` : `Select all ${what}s`}
    </Button>
  )
}
