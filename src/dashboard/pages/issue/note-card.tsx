import { Button, Group, Paper, Select, Stack, Text, Textarea, Title } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import type { Issue } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { issueReads } from '../../components/testing/issue-reads.ts'
import { useRead, useWrite } from '../../data/use-operation.ts'

const longestNote = 10_000

/** Who takes care of an issue, and a note for the others. */
export function NoteCard({ issue, mayWrite }: { issue: Issue; mayWrite: boolean }) {
  const [editing, setEditing] = useState(false)
  return (
    <Paper withBorder p="md" component="section" aria-label="Note">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Note</Title>
        {mayWrite && !editing && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPencil size={14} />}
            onClick={() => setEditing(true)}
          >
            Edit the note
          </Button>
        )}
      </Group>
      <Stack gap="sm">
        {editing ? (
          <NoteForm issue={issue} onDone={() => setEditing(false)} />
        ) : (
          <Text
            size="sm"
            c={issue.description ? undefined : 'dimmed'}
            style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
          >
            {issue.description || 'No note.'}
          </Text>
        )}
        <Assignee issue={issue} mayWrite={mayWrite} />
      </Stack>
    </Paper>
  )
}

function NoteForm({ issue, onDone }: { issue: Issue; onDone: () => void }) {
  const [text, setText] = useState(issue.description ?? '')
  const save = useWrite('updateIssueDescription', issueReads)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ issueId: issue.id, description: text.trim() }, { onSuccess: onDone })
      }}
    >
      <Stack gap="xs">
        <Textarea
          aria-label="Text of the note"
          autosize
          minRows={3}
          maxRows={14}
          maxLength={longestNote}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        {save.error && <FailureNotice error={save.error} />}
        <Group justify="flex-end" gap="xs">
          <Button size="xs" variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button size="xs" type="submit" loading={save.isPending}>
            Save the note
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Assignee({ issue, mayWrite }: { issue: Issue; mayWrite: boolean }) {
  const people = useRead('getTeamData', {}, { enabled: mayWrite }).data?.users.map((user) => user.login) ?? []
  const assign = useWrite('assignIssue', issueReads)
  if (!mayWrite) return <Text size="sm">Assigned to {issue.assignee ?? 'nobody'}</Text>
  return (
    <Select
      label="Assigned to"
      placeholder="Nobody"
      data={[...new Set([...people, ...(issue.assignee === null ? [] : [issue.assignee])])]}
      value={issue.assignee}
      disabled={assign.isPending}
      onChange={(assignee) => assign.mutate({ issueId: issue.id, assignee }, { onError: notifyFailure })}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear: assigned to' }}
    />
  )
}
