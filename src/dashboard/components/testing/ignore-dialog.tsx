import { Button, Group, Radio, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { IssueId } from '../../../contract/browser.ts'
import { localTime, secondsOf, shownZone } from '../../data/time-zone.ts'
import { useWrite } from '../../data/use-operation.ts'
import { countOf } from '../../data/words.ts'
import { Dialog } from '../dialog.tsx'
import { FailureNotice } from '../feedback/failure-notice.tsx'
import { issueReads } from './issue-reads.ts'
import { offerUndo } from './offer-undo.tsx'

interface IgnoreDialogProps {
  /** Every place of the issues. */
  readonly ids: readonly IssueId[]
  /** How many issues these places belong to. */
  readonly issues: number
  readonly onClose: () => void
  readonly onDone?: () => void
}

/** How long an issue is ignored, in days; '' for ever, and a date of one's own. */
const times = [
  { value: '', label: 'Permanently' },
  { value: '7', label: 'For 7 days' },
  { value: '30', label: 'For 30 days' },
  { value: '90', label: 'For 90 days' },
  { value: 'date', label: 'Until a date' },
] as const

/** When an ignored issue opens again, epoch seconds; 0 for never. A date means its first moment in the shown zone. */
function untilOf(time: string, date: string, nowMs: number): number {
  if (time === '') return 0
  if (time !== 'date') return Math.floor(nowMs / 1000) + Number(time) * 86_400
  return secondsOf(`${date}T00:00`)
}

const reasons = ['False positive', 'Accepted risk', 'No time to fix it now'] as const

/** Asks why issues are ignored; without a reason none is. */
export function IgnoreDialog({ ids, issues, onClose, onDone }: IgnoreDialogProps) {
  const [reason, setReason] = useState<string>(reasons[0])
  const [words, setWords] = useState('')
  const [time, setTime] = useState('')
  const [date, setDate] = useState('')
  const ignore = useWrite('bulkUpdateIssueStatus', issueReads)
  const submit = () =>
    ignore.mutate(
      {
        issueIdArray: [...ids],
        statusToBeUpdated: 'IGNORED',
        ignoreReason: words.trim() === '' ? reason : `${reason}: ${words.trim()}`,
        ignoreUntil: untilOf(time, date, Date.now()),
      },
      {
        onSuccess: ({ changedCount }) => {
          offerUndo({ ids, changedCount, message: `${countOf(ids.length, 'place')} ignored` })
          onClose()
          onDone?.()
        },
      },
    )
  return (
    <Dialog onClose={onClose} title={`Ignore ${countOf(issues, 'issue')}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack>
          <Radio.Group
            label="Why"
            description="No run changes an ignored issue. It opens again when the time is over, or when you reopen it."
            value={reason}
            onChange={setReason}
          >
            <Stack gap={6} mt={6}>
              {reasons.map((one) => (
                <Radio key={one} value={one} label={one} />
              ))}
            </Stack>
          </Radio.Group>
          <Group grow align="end">
            <Select
              label="How long"
              data={times}
              value={time}
              allowDeselect={false}
              onChange={(next) => setTime(next ?? '')}
            />
            {time === 'date' && (
              <TextInput
                label="Opens again on"
                description={`Time zone: ${shownZone}.`}
                type="date"
                required
                min={localTime(Date.now() / 1000 + 86_400).slice(0, 10)}
                value={date}
                onChange={(event) => setDate(event.currentTarget.value)}
              />
            )}
          </Group>
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
