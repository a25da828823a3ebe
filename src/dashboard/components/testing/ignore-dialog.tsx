import { Button, Group, Radio, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { IssueId } from '../../../contract/browser.ts'
import { useWrite } from '../../data/use-operation.ts'
import { countOf } from '../../data/words.ts'
import { Dialog } from '../dialog.tsx'
import { FailureNotice } from '../feedback/failure-notice.tsx'
import { issueReads } from './issue-reads.ts'

interface IgnoreDialogProps {
  readonly ids: readonly IssueId[]
  readonly onClose: () => void
  readonly onDone?: () => void
}

const reasons = ['False positive', 'Accepted risk', 'No time to fix it now'] as const

/** Asks why issues are ignored; without a reason none is. */
export function IgnoreDialog({ ids, onClose, onDone }: IgnoreDialogProps) {
  const [reason, setReason] = useState<string>(reasons[0])
  const [words, setWords] = useState('')
  const ignore = useWrite('bulkUpdateIssueStatus', issueReads)
  const submit = () =>
    ignore.mutate(
      {
        issueIdArray: [...ids],
        statusToBeUpdated: 'IGNORED',
        ignoreReason: words.trim() === '' ? reason : `${reason}: ${words.trim()}`,
      },
      {
        onSuccess: () => {
          onClose()
          onDone?.()
        },
      },
    )
  return (
    <Dialog onClose={onClose} title={`Ignore ${countOf(ids.length, 'issue')}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack>
          <Radio.Group
            label="Why"
            description="No run changes an ignored issue. You can open it again at any time."
            value={reason}
            onChange={setReason}
          >
            <Stack gap={6} mt={6}>
              {reasons.map((one) => (
                <Radio key={one} value={one} label={one} />
              ))}
            </Stack>
          </Radio.Group>
          <Textarea
            label="In your words"
            description="Explains the decision to others later."
            maxLength={900}
            autosize
            minRows={2}
            maxRows={6}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
          {ignore.error && <FailureNotice error={ignore.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={ignore.isPending}>
              Ignore
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
