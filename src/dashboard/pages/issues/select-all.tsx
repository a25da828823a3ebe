import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { IssueGroup } from '../../../contract/browser.ts'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { countOf } from '../../data/words.ts'
import { fetchEveryGroup } from './fetch-every-group.ts'
import type { useIssues } from './issue-query.ts'

interface SelectAllProps {
  readonly issues: ReturnType<typeof useIssues>
  readonly onSelected: (groups: readonly IssueGroup[]) => void
}

/** Selects the issues of all pages that meet the filters. */
export function SelectAll({ issues: { request, total = 0 }, onSelected }: SelectAllProps) {
  const read = useMutation({
    mutationFn: () => fetchEveryGroup(request),
    onSuccess: onSelected,
    onError: notifyFailure,
  })
  return (
    <Button size="xs" variant="light" loading={read.isPending} onClick={() => read.mutate()}>
      Select all {countOf(total, 'issue')}
    </Button>
  )
}
