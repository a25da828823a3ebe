import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Issue } from '../../../contract/browser.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { issueReads } from '../../components/testing/issue-reads.ts'
import { useRead, useWrite } from '../../data/use-operation.ts'

/** Orders a ticket of an issue; its link stands with the issue seconds later. */
export function TicketDialog({ issue, onClose }: { issue: Issue; onClose: () => void }) {
  const trackers = useRead('fetchIntegration', {})
  const order = useWrite('createJiraIssue', issueReads)
  const [project, setProject] = useState('')
  const known = trackers.data?.integrations ?? []
  return (
    <Dialog onClose={onClose} title="Create ticket">
      {order.data ? (
        <Stack>
          <Alert color="green" icon={<IconCheck size={18} />} role="status">
            {order.data.isOrdered
              ? 'The ticket is being created. Its link appears on the issue once the tracker has answered.'
              : 'The issue already has a ticket, or one is being created.'}
          </Alert>
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const issueType = String(new FormData(event.currentTarget).get('issueType') ?? '').trim()
            order.mutate({ issueId: issue.id, projId: project.trim(), issueType })
          }}
        >
          <Stack>
            {trackers.data !== undefined && known.length === 0 && (
              <Text size="sm">
                No tracker is set up yet:{' '}
                <Anchor component={Link} to="/settings/alerts" underline="always" size="sm">
                  set one up
                </Anchor>
                .
              </Text>
            )}
            <TextInput
              label="Project"
              description="owner/repository of GitHub, or the key of a Jira project."
              required
              maxLength={300}
              value={project}
              onChange={(event) => setProject(event.currentTarget.value)}
              data-autofocus
            />
            <TextInput
              label="Type or label"
              name="issueType"
              description="Empty: Task in Jira, bug in GitHub."
              maxLength={100}
            />
            {order.error && <FailureNotice error={order.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={order.isPending}>
                Create ticket
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  )
}
