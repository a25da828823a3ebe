import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconEyeOff, IconRefresh, IconRotate } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Issue, severities } from '../../../contract/browser.ts'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { IgnoreDialog } from '../../components/testing/ignore-dialog.tsx'
import { issueReads } from '../../components/testing/issue-reads.ts'
import { severityWord } from '../../components/testing/severity-tag.tsx'
import { useWrite } from '../../data/use-operation.ts'

/** Ignore, reopen, mark as fixed, change the severity, test again. */
export function IssueActions({ issue }: { issue: Issue }) {
  const [ignoring, setIgnoring] = useState(false)
  const setStatus = useWrite('updateIssueStatus', issueReads)
  const setSeverity = useWrite('bulkUpdateIssueSeverity', issueReads)
  const { apiCollectionId, method, url } = issue.id.apiInfoKey
  const again = new URLSearchParams({
    collection: String(apiCollectionId),
    method,
    url,
    test: issue.id.testSubCategory,
  })
  const to = (status: Issue['testRunIssueStatus']) =>
    setStatus.mutate(
      { issueId: issue.id, statusToBeUpdated: status, ignoreReason: '' },
      { onError: notifyFailure },
    )
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            rightSection={<IconChevronDown size={14} />}
            loading={setSeverity.isPending}
          >
            Severity
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {severities.map((severity) => (
            <Menu.Item
              key={severity}
              disabled={severity === issue.severity}
              onClick={() =>
                setSeverity.mutate(
                  { issueIdArray: [issue.id], severityToBeUpdated: severity },
                  { onError: notifyFailure },
                )
              }
            >
              {severityWord(severity)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {issue.testRunIssueStatus === 'OPEN' ? (
        <>
          <Button variant="default" leftSection={<IconEyeOff size={16} />} onClick={() => setIgnoring(true)}>
            Ignore
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
      <Button component={Link} to={`/runs/new?${again}`} leftSection={<IconRefresh size={16} />}>
        Test again
      </Button>
      {ignoring && <IgnoreDialog ids={[issue.id]} onClose={() => setIgnoring(false)} />}
    </>
  )
}
