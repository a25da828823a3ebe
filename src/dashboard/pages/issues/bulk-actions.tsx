import { Button, Group, Menu, Text } from '@mantine/core'
import {
  IconDownload,
  IconEyeOff,
  IconRefresh,
  IconRotate,
  IconTag,
  IconTicket,
  IconX,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { type Issue, type IssueGroup, type IssueId, severities } from '../../../contract/browser.ts'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { IgnoreDialog } from '../../components/testing/ignore-dialog.tsx'
import { issueReads } from '../../components/testing/issue-reads.ts'
import { offerUndo } from '../../components/testing/offer-undo.tsx'
import { severityWord } from '../../components/testing/severity-tag.tsx'
import { saveFile } from '../../data/save-file.ts'
import { useWrite } from '../../data/use-operation.ts'
import { useTests } from '../../data/use-tests.ts'
import { countOf } from '../../data/words.ts'
import { AssignMenu } from './assign-menu.tsx'
import { placesOf } from './export-menu.tsx'
import { issuesAsCsv } from './issues-as-csv.ts'
import { TagDialog } from './tag-dialog.tsx'
import { BulkTicketDialog } from './ticket-bulk-dialog.tsx'

/** Tags that every chosen issue has. */
function sharedTags(chosen: readonly IssueGroup[]): string[] {
  const [first, ...others] = chosen.map(({ issue }) => issue.tags)
  return (first ?? []).filter((tag) => others.every((tags) => tags.includes(tag)))
}

interface BulkActionsProps {
  readonly chosen: readonly IssueGroup[]
  /** That of the tab. */
  readonly status: Issue['testRunIssueStatus'] | 'ALL'
  readonly onDone: () => void
  /** Widens the choice. */
  readonly children?: ReactNode
}

/** What can be done with the chosen issues at once. */
export function BulkActions({ chosen, status, onDone, children }: BulkActionsProps) {
  const [ignoring, setIgnoring] = useState(false)
  const retest = useWrite('retestIssues')
  const navigate = useNavigate()
  const ids = chosen.flatMap(({ issueIds }) => issueIds)
  const testAgain = async () => {
    try {
      const { testingRunHexId } = await retest.mutateAsync({ issueIdArray: ids })
      await navigate(`/runs/${testingRunHexId}`)
    } catch (error) {
      notifyFailure(error)
    }
  }
  const { byId } = useTests()
  const exportPlaces = async () => {
    try {
      saveFile('issues.csv', issuesAsCsv(await placesOf(chosen), byId, location.origin), 'text/csv')
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <Group px="sm" pb="sm" gap="xs" role="group" aria-label="Chosen issues">
      <Text size="sm" role="status">
        {countOf(chosen.length, 'issue')} chosen
      </Text>
      {children}
      {status !== 'IGNORED' && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconEyeOff size={14} />}
          onClick={() => setIgnoring(true)}
        >
          Ignore
        </Button>
      )}
      {status !== 'OPEN' && <ReopenButton ids={ids} onDone={onDone} />}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRefresh size={14} />}
        loading={retest.isPending}
        onClick={() => void testAgain()}
      >
        Test again
      </Button>
      <SeverityMenu ids={ids} onDone={onDone} />
      <AssignMenu ids={ids} onDone={onDone} />
      <TagAndTicket chosen={chosen} ids={ids} onDone={onDone} />
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} />}
        onClick={() => void exportPlaces()}
      >
        Export as CSV
      </Button>
      <Button size="xs" variant="subtle" leftSection={<IconX size={14} />} onClick={onDone}>
        Clear selection
      </Button>
      {ignoring && (
        <IgnoreDialog ids={ids} issues={chosen.length} onClose={() => setIgnoring(false)} onDone={onDone} />
      )}
    </Group>
  )
}

function SeverityMenu({ ids, onDone }: { ids: readonly IssueId[]; onDone: () => void }) {
  const set = useWrite('bulkUpdateIssueSeverity', issueReads)
  return (
    <Menu>
      <Menu.Target>
        <Button size="xs" variant="default" loading={set.isPending}>
          Change severity
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {severities.map((severity) => (
          <Menu.Item
            key={severity}
            onClick={() =>
              set.mutate(
                { issueIdArray: [...ids], severityToBeUpdated: severity },
                {
                  onError: notifyFailure,
                  onSuccess: ({ changedCount }) => {
                    const message = `${countOf(ids.length, 'place')} set to ${severityWord(severity)}`
                    offerUndo({ ids, changedCount, message, changed: 'severity' })
                    onDone()
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

interface PartProps {
  readonly ids: readonly IssueId[]
  readonly onDone: () => void
}

function ReopenButton({ ids, onDone }: PartProps) {
  const setStatus = useWrite('bulkUpdateIssueStatus', issueReads)
  const reopen = () =>
    setStatus.mutate(
      { issueIdArray: [...ids], statusToBeUpdated: 'OPEN', ignoreReason: '' },
      {
        onError: notifyFailure,
        onSuccess: ({ changedCount }) => {
          offerUndo({ ids, changedCount, message: `${countOf(ids.length, 'place')} reopened` })
          onDone()
        },
      },
    )
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconRotate size={14} />}
      loading={setStatus.isPending}
      onClick={reopen}
    >
      Reopen
    </Button>
  )
}

function TagAndTicket({ chosen, ids, onDone }: PartProps & { readonly chosen: readonly IssueGroup[] }) {
  const [open, setOpen] = useState<'tags' | 'tickets' | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <Button size="xs" variant="default" leftSection={<IconTag size={14} />} onClick={() => setOpen('tags')}>
        Tag
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTicket size={14} />}
        onClick={() => setOpen('tickets')}
      >
        Create tickets
      </Button>
      {open === 'tags' && <TagDialog ids={ids} tags={sharedTags(chosen)} onClose={close} onDone={onDone} />}
      {open === 'tickets' && <BulkTicketDialog ids={chosen.map(({ issue }) => issue.id)} onClose={close} />}
    </>
  )
}
