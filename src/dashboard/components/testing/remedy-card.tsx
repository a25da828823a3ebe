import { Anchor, List, Paper, Skeleton, Text, Title } from '@mantine/core'
import { useRead } from '../../data/use-operation.ts'
import { useTests } from '../../data/use-tests.ts'
import { FailureNotice } from '../feedback/failure-notice.tsx'
import { Markdown } from '../markdown/markdown.tsx'

/** What to do about a weakness, from the test that finds it. */
export function RemedyCard({ testId }: { testId: string }) {
  const { byId } = useTests()
  // The library keeps these texts beside its tests; a rule of another scanner brings its own.
  const own = byId.get(testId)?.remediation
  const fetched = useRead('fetchRemediationInfo', { testId }, { enabled: !own })
  const { error, refetch } = fetched
  const data = own ?? fetched.data
  const references = (byId.get(testId)?.references ?? []).filter((url) => /^https?:\/\//i.test(url))
  return (
    <Paper withBorder p="md" component="section" aria-label="Remedy">
      <Title order={2} mb="sm">
        Remediation
      </Title>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height={90} />}
      {typeof data === 'string' && data !== '' && <Markdown source={data} />}
      {data === '' && (
        <Text size="sm" c="dimmed">
          The test has no remediation text. See its description and references.
        </Text>
      )}
      {references.length > 0 && (
        <>
          <Title order={3} mt="md" mb={4}>
            References
          </Title>
          <List size="sm" withPadding>
            {references.map((url) => (
              <List.Item key={url} style={{ overflowWrap: 'anywhere' }}>
                <Anchor href={url} target="_blank" rel="noreferrer" underline="always">
                  {url}
                </Anchor>
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Paper>
  )
}
