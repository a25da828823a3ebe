import { Anchor, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { Issue as IssueRecord, ResponseOf } from '../../../contract/browser.ts'
import { ExchangeView } from '../../components/exchange/exchange-view.tsx'
import { readSample } from '../../components/exchange/read-sample.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { partNames } from '../../components/testing/cause-text.ts'
import { TimeAgo } from '../../components/time-ago.tsx'
import { useRead } from '../../data/use-operation.ts'

/** What another scanner showed for an issue, and the import that brought it. */
export function ImportedEvidence({ issue }: { issue: IssueRecord }) {
  const { data, error, refetch } = useRead('fetchImportedFinding', { issueId: issue.id })
  // Anyone who looks at the evidence has read the issue; the server notes it.
  useRead('fetchTestingRunResult', { issueId: issue.id }, { enabled: issue.unread })
  return (
    <Paper withBorder p="md" component="section" aria-label="Evidence">
      <Group justify="space-between" mb="sm">
        <Title order={2}>Newest evidence</Title>
        {data && (
          <Anchor component={Link} to={`/start/imports/${data.uploadId}`} size="sm">
            Open the import
          </Anchor>
        )}
      </Group>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <TableSkeleton rows={3} label="Loading the evidence" />}
      {data && (
        <Stack>
          <Text size="sm" c="dimmed">
            {data.tool} reported this <TimeAgo seconds={data.foundTs} />. Vigil has not verified it: test runs
            of Vigil neither confirm nor fix it.
          </Text>
          {data.evidence.map((place, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the places of one import never move
            <Place key={at} name={`Place ${at + 1}`} place={place} />
          ))}
        </Stack>
      )}
    </Paper>
  )
}

interface PlaceProps {
  readonly name: string
  readonly place: ResponseOf<'fetchImportedFinding'>['evidence'][number]
}

function Place({ name, place }: PlaceProps) {
  const { part, explanation, message } = place
  const sample = message === null ? null : readSample(message)
  return (
    <Stack gap="xs">
      {part !== '' && <Title order={3}>{partNames(part)}</Title>}
      {explanation !== '' && (
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {explanation}
        </Code>
      )}
      {sample === null ? (
        <Text size="sm" c="dimmed">
          The file had no request and answer. Reports of ZAP have them as “JSON Report with Requests and
          Responses”.
        </Text>
      ) : (
        <ExchangeView name={name} request={sample.request} response={sample.response} />
      )}
    </Stack>
  )
}
