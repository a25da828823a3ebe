import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconEyeOff, IconRefresh, IconRotate, IconTicket } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { type Issue, type IssueId, severities } from '../../../contract/browser.ts'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { FalsePositiveDialog } from '../../components/testing/false-positive-dialog.tsx'
import { IgnoreDialog } from '../../components/testing/ignore-dialog.tsx'
import { issueReads } from '../../components/testing/issue-reads.ts'
import { offerUndo } from '../../components/testing/offer-undo.tsx'
import { severityWord } from '../../components/testing/severity-tag.tsx'
import { useWrite } from '../../data/use-operation.ts'
import { AssignMenu } from '../issues/assign-menu.tsx'
import { TicketDialog } from './ticket-dialog.tsx'

interface IssueActionsProps {
  readonly issue: Issue
  /** All places of its cause: what is done to the issue is done to those in the same status. */
  readonly places: readonly Issue[]
}

/** Ignore, reopen, mark as fixed, change the severity, make a ticket, test again. */
export function IssueActions({ issue, places }: IssueActionsProps) {
  const ids = places
    .filter(({ testRunIssueStatus }) => testRunIssueStatus === issue.testRunIssueStatus)
    .map(({ id }) => id)
  const [ignoring, setIgnoring] = useState(false)
  const [ticketing, setTicketing] = useState(false)
  const [isFalse, setIsFalse] = useState(false)
  const setStatus = useWrite('bulkUpdateIssueStatus', issueReads)
  const retest = useWrite('retestIssues')
  const navigate = useNavigate()
  const testAgain = async () => {
    try {
      const { testingRunHexId } = await retest.mutateAsync({ issueIdArray: ids })
      await navigate(`/runs/${testingRunHexId}`)
    } catch (error) {
      notifyFailure(error)
    }
  }
  const to = (status: Issue['testRunIssueStatus']) =>
    setStatus.mutate(
      { issueIdArray: ids, statusToBeUpdated: status, ignoreReason: '' },
      {
        onError: notifyFailure,
        onSuccess: ({ changedCount }) =>
          offerUndo({ ids, changedCount, message: status === 'OPEN' ? 'Reopened' : 'Marked as fixed' }),
      },
    )
  return (
    <>
      <SeverityMenu issue={issue} ids={ids} />
      <AssignMenu ids={ids} size="sm" />
      {issue.testRunIssueStatus === 'OPEN' ? (
        <>
          <Button variant="default" leftSection={<IconEyeOff size={16} />} onClick={() => setIgnoring(true)}>
            Ignore
          </Button>
          <Button variant="default" onClick={() => setIsFalse(true)}>
            False positive
          </Button>
          <Button variant="default" loading={setStatus.isPending} onClick={() => to('FIXED')}>
            Mark as fixed
          </Button>
        </>
      ) : (
        <Button
          variant="default"
          leftSection={<IconRotate size={16} />}
          loading={setStatus.isPending}
          onClick={() => to('OPEN')}
        >
          Reopen
        </Button>
      )}
      {!issue.ticketId && (
        <Button variant="default" leftSection={<IconTicket size={16} />} onClick={() => setTicketing(true)}>
          Ticket
        </Button>
      )}
      {issue.id.testErrorSource !== 'IMPORT' && (
        <Button
          leftSection={<IconRefresh size={16} />}
          loading={retest.isPending}
          onClick={() => void testAgain()}
        >
          Test again
        </Button>
      )}
      {ticketing && <TicketDialog issue={issue} onClose={() => setTicketing(false)} />}
      {isFalse && <FalsePositiveDialog issueId={issue.id} onClose={() => setIsFalse(false)} />}
      {ignoring && <IgnoreDialog ids={ids} issues={1} onClose={() => setIgnoring(false)} />}
    </>
  )
}

function SeverityMenu({ issue, ids }: { issue: Issue; ids: readonly IssueId[] }) {
  const set = useWrite('bulkUpdateIssueSeverity', issueReads)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={14} />} loading={set.isPending}>
          Severity
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {severities.map((severity) => (
          <Menu.Item
            key={severity}
            disabled={severity === issue.severity}
            onClick={() =>
              set.mutate(
                { issueIdArray: [...ids], severityToBeUpdated: severity },
                {
                  onError: notifyFailure,
                  onSuccess: ({ changedCount }) => {
                    const message = `Severity set to ${severityWord(severity)}`
                    offerUndo({ ids, changedCount, message, changed: 'severity' })
                  },
                },
              )
            }
          >
            {severityWord(severity)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
