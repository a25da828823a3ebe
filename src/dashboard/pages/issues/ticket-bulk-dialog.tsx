import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { IssueId } from '../../../contract/browser.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { issueReads } from '../../components/testing/issue-reads.ts'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { countOf } from '../../data/words.ts'

/** Orders one ticket for each of several issues. */
export function BulkTicketDialog({ ids, onClose }: { ids: readonly IssueId[]; onClose: () => void }) {
  const trackers = useRead('fetchIntegration', {})
  const order = useWrite('bulkCreateJiraTickets', issueReads)
  const [project, setProject] = useState('')
  return (
    <Dialog onClose={onClose} title={`Create ${countOf(ids.length, 'ticket')}`}>
      {order.data ? (
        <Stack>
          <Alert color="green" icon={<IconCheck size={18} />} role="status">
            {countOf(order.data.ordered, 'ticket')} ordered
            {order.data.existing > 0 && `; ${countOf(order.data.existing, 'issue')} had one already`}. Links
            appear with the issues when the tracker has answered.
          </Alert>
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            order.mutate({ issueIdArray: [...ids], projId: project.trim(), issueType: '' })
          }}
        >
          <Stack>
            {trackers.data?.integrations.length === 0 && (
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
            {order.error && <FailureNotice error={order.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={order.isPending}>
                Create tickets
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  )
}
