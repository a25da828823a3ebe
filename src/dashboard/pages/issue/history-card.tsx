import { Anchor, Button, Paper, Skeleton, Stack, Text, Textarea, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { IssueId, ResponseOf } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { issueReads } from '../../components/testing/issue-reads.ts'
import { severityWord } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { useRead, useWrite } from '../../data/use-operation.ts'

type IssueEvent = ResponseOf<'fetchIssueHistory'>['issueHistory'][number]

const firstShown = 10

const statusWords: Record<string, string> = { OPEN: 'open', IGNORED: 'ignored', FIXED: 'fixed' }

/** What an entry of the history says. */
function eventSentence({ kind, from, to }: IssueEvent): string {
  switch (kind) {
    case 'CREATED':
      return `Found for the first time, ${severityWord(to ?? '').toLowerCase()}`
    case 'FOUND':
      return 'Found again'
    case 'STATUS':
      return `Became ${statusWords[to ?? ''] ?? to}; was ${statusWords[from ?? ''] ?? from}`
    case 'SEVERITY':
      return `Severity ${severityWord(to ?? '').toLowerCase()}; was ${severityWord(from ?? '').toLowerCase()}`
    case 'ASSIGNEE':
      return to === null ? 'Assigned to nobody' : `Assigned to ${to}`
    case 'DESCRIPTION':
      return 'Note changed'
    case 'NOT_VERIFIED':
      return 'Tested again, not verified'
    case 'COMMENT':
      return 'Comment'
    case 'TAGS':
      return `Tags: ${to || 'none'}`
    case 'TICKET':
      return `Ticket ${to ?? ''}`
  }
}

/** Everything that happened to an issue, newest first. */
export function HistoryCard({ issueId, mayWrite }: { issueId: IssueId; mayWrite: boolean }) {
  const { data, error, refetch } = useRead('fetchIssueHistory', { issueId })
  const [all, setAll] = useState(false)
  const events = data?.issueHistory ?? []
  return (
    <Paper withBorder p="md" component="section" aria-label="History">
      <Title order={2} mb="xs">
        History
      </Title>
      {mayWrite && <CommentForm issueId={issueId} />}
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height={100} />}
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {(all ? events : events.slice(0, firstShown)).map((event, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name
          <li key={at}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {eventSentence(event)}
              {event.note && <>: {event.note}</>}
            </Text>
            <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
              <TimeAgo seconds={event.timestamp} /> by{' '}
              {event.actor ?? (issueId.testErrorSource === 'IMPORT' ? 'an import' : 'a run')}
              {event.testingRunResultHexId && (
                <>
                  {' · '}
                  <Anchor
                    component={Link}
                    to={`/results/${event.testingRunResultHexId}`}
                    size="xs"
                    underline="always"
                  >
                    result
                  </Anchor>
                </>
              )}
            </Text>
          </li>
        ))}
      </Stack>
      {!all && events.length > firstShown && (
        <Button size="compact-xs" variant="default" mt="sm" onClick={() => setAll(true)}>
          Show all {events.length}
        </Button>
      )}
    </Paper>
  )
}

/** A comment for the others who look at the issue. */
function CommentForm({ issueId }: { readonly issueId: IssueId }) {
  const [comment, setComment] = useState('')
  const save = useWrite('commentIssue', issueReads)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ issueId, comment: comment.trim() }, { onSuccess: () => setComment('') })
      }}
    >
      <Stack gap="xs" mb="sm">
        <Textarea
          label="Comment"
          autosize
          minRows={2}
          maxRows={10}
          maxLength={10_000}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
        {save.error && <FailureNotice error={save.error} />}
        <Button
          size="xs"
          type="submit"
          style={{ alignSelf: 'flex-end' }}
          disabled={comment.trim() === ''}
          loading={save.isPending}
        >
          Add comment
        </Button>
      </Stack>
    </form>
  )
}
