import { Button, Group, Menu, Text } from '@mantine/core'
import { IconDownload, IconEyeOff, IconRefresh, IconRotate } from '@tabler/icons-react'
import { useState } from 'react'
import { type Issue, severities } from '../../../contract/browser.ts'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { IgnoreDialog } from '../../components/testing/ignore-dialog.tsx'
import { issueReads } from '../../components/testing/issue-reads.ts'
import { severityWord } from '../../components/testing/severity-tag.tsx'
import { saveFile } from '../../data/save-file.ts'
import { useWrite } from '../../data/use-operation.ts'
import { countOf } from '../../data/words.ts'
import { issuesAsCsv } from './issues-as-csv.ts'

interface BulkActionsProps {
  readonly chosen: readonly Issue[]
  readonly status: Issue['testRunIssueStatus']
  readonly onDone: () => void
}

/** What can be done with the chosen issues at once. */
export function BulkActions({ chosen, status, onDone }: BulkActionsProps) {
  const [ignoring, setIgnoring] = useState(false)
  const setStatus = useWrite('bulkUpdateIssueStatus', issueReads)
  const setSeverity = useWrite('bulkUpdateIssueSeverity', issueReads)
  const ids = chosen.map((issue) => issue.id)
  const settled = { onSuccess: onDone, onError: notifyFailure }
  return (
    <Group px="sm" pb="sm" gap="xs" role="group" aria-label="Chosen issues">
      <Text size="sm" role="status">
        {countOf(chosen.length, 'issue')} chosen
      </Text>
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
      {status !== 'OPEN' && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRotate size={14} />}
          loading={setStatus.isPending}
          onClick={() =>
            setStatus.mutate({ issueIdArray: ids, statusToBeUpdated: 'OPEN', ignoreReason: '' }, settled)
          }
        >
          Reopen
        </Button>
      )}
      <Menu>
        <Menu.Target>
          <Button size="xs" variant="default" loading={setSeverity.isPending}>
            Change severity
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {severities.map((severity) => (
            <Menu.Item
              key={severity}
              onClick={() =>
                setSeverity.mutate({ issueIdArray: ids, severityToBeUpdated: severity }, settled)
              }
            >
              {severityWord(severity)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} />}
        onClick={() => saveFile('issues.csv', issuesAsCsv(chosen), 'text/csv')}
      >
        Export as CSV
      </Button>
      <Button size="xs" variant="subtle" leftSection={<IconRefresh size={14} />} onClick={onDone}>
        Choose none
      </Button>
      {ignoring && <IgnoreDialog ids={ids} onClose={() => setIgnoring(false)} onDone={onDone} />}
    </Group>
  )
}
