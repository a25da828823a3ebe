import { Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { type RefObject, useState } from 'react'
import { type ResponseOf, severities } from '../../../contract/browser.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { issueReads } from '../../components/testing/issue-reads.ts'
import { severityWord } from '../../components/testing/severity-tag.tsx'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { useOwnUser } from '../../data/use-own-user.ts'

type Deadlines = ResponseOf<'fetchIssueDeadlines'>

interface DeadlinesDialogProps {
  readonly onClose: () => void
  /** What gets the focus back. */
  readonly returnTo: RefObject<HTMLElement | null>
}

/** Within how many days issues are to be fixed, by severity. */
export function DeadlinesDialog({ onClose, returnTo }: DeadlinesDialogProps) {
  const { data, error, refetch } = useRead('fetchIssueDeadlines', {})
  return (
    <Dialog title="Deadlines" onClose={onClose} returnTo={returnTo}>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <TableSkeleton rows={4} label="Loading the deadlines" />}
      {data && <DeadlinesForm deadlines={data} onClose={onClose} />}
    </Dialog>
  )
}

function DeadlinesForm({ deadlines, onClose }: { deadlines: Deadlines; onClose: () => void }) {
  const [next, setNext] = useState(deadlines)
  const save = useWrite('updateIssueDeadlines', [...issueReads, 'fetchIssueDeadlines'])
  const isAdmin = useOwnUser()?.role === 'ADMIN'
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ deadlines: next }, { onSuccess: onClose })
      }}
    >
      <Stack>
        <Text size="sm">
          Days from the first finding, or from when the issue reopened. An issue that is open for longer is
          overdue. Empty: no deadline.
        </Text>
        {severities.map((severity) => (
          <NumberInput
            key={severity}
            label={severityWord(severity)}
            suffix=" days"
            min={1}
            max={3650}
            allowDecimal={false}
            disabled={!isAdmin}
            value={next[severity] ?? ''}
            onChange={(days) => setNext({ ...next, [severity]: typeof days === 'number' ? days : null })}
          />
        ))}
        {!isAdmin && <Text size="sm">Only administrators change deadlines.</Text>}
        {save.error && <FailureNotice error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={!isAdmin}>
            Save deadlines
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
