import { Anchor, Breadcrumbs, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconBug, IconEyeOff, IconFlask } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { Link, useParams } from 'react-router'
import type { TestResult } from '../../../contract/browser.ts'
import { EndpointLink } from '../../components/endpoint/endpoint-link.tsx'
import { TypeTags } from '../../components/endpoint/type-tags.tsx'
import { Facts } from '../../components/facts.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { DetailFailure } from '../../components/feedback/missing.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ConditionTree } from '../../components/testing/condition-tree.tsx'
import { EvidenceView } from '../../components/testing/evidence-view.tsx'
import { FalsePositiveDialog } from '../../components/testing/false-positive-dialog.tsx'
import { issueAddress } from '../../components/testing/issue-address.ts'
import { readEvidence } from '../../components/testing/read-evidence.ts'
import { RemedyCard } from '../../components/testing/remedy-card.tsx'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { TestName } from '../../components/testing/test-name.tsx'
import { VerdictTag } from '../../components/testing/verdict.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { useRead } from '../../data/use-operation.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { testTitle, useTests } from '../../data/use-tests.ts'
import { AttemptsOnly } from './attempts-only.tsx'
import { EvidenceDownload } from './evidence-download.tsx'
import { MarkdownButton } from './markdown-button.tsx'
import { Neighbours } from './neighbours.tsx'

/** One result: what is wrong, what proves it, and what to do about it. */
export default function Result() {
  const { result: resultId = '' } = useParams()
  const { data, error, refetch } = useRead('fetchTestRunResultDetails', { testingRunResultHexId: resultId })
  const tests = useTests()
  const result = data?.testingRunResult
  return (
    <>
      <PageHeader
        title={result ? testTitle(tests.byId, result.testSubType) : 'Test result'}
        heading={result && <TestName tests={tests} id={result.testSubType} />}
        trail={
          <Breadcrumbs>
            <Anchor component={Link} to="/runs" size="sm">
              Test runs
            </Anchor>
            {result && (
              <Anchor component={Link} to={`/runs/${result.testRunHexId}`} size="sm">
                The run
              </Anchor>
            )}
          </Breadcrumbs>
        }
        description={result && <EndpointLink endpointKey={result.apiInfoKey} />}
        actions={result && <ResultActions result={result} />}
      />
      {error && <DetailFailure kind="result" error={error} onRetry={() => void refetch()} />}
      {result === undefined && !error && (
        <Paper withBorder>
          <TableSkeleton label="Loading the result" />
        </Paper>
      )}
      {result && (
        <Stack>
          <VerdictCard result={result} />
          <EvidenceCard result={result} />
          <RemedyCard testId={result.testSubType} />
        </Stack>
      )}
    </>
  )
}

function ResultActions({ result }: { result: TestResult }) {
  const { data } = useRead(
    'fetchIssueFromTestRunResultDetails',
    { testingRunResultHexId: result.hexId },
    { enabled: result.vulnerable },
  )
  const issue = data?.runIssues
  const mayWrite = useMayWrite()
  const [isFalse, setIsFalse] = useState(false)
  return (
    <>
      <Neighbours result={result} />
      <Button
        component={Link}
        to={`/library/${encodeURIComponent(result.testSubType)}`}
        variant="default"
        leftSection={<IconFlask size={16} />}
      >
        The test
      </Button>
      {result.vulnerable && mayWrite && (
        <Button variant="default" leftSection={<IconEyeOff size={16} />} onClick={() => setIsFalse(true)}>
          False positive
        </Button>
      )}
      {isFalse && (
        <FalsePositiveDialog
          issueId={{
            testSubCategory: result.testSubType,
            testErrorSource: 'AUTOMATED_TESTING',
            apiInfoKey: result.apiInfoKey,
          }}
          onClose={() => setIsFalse(false)}
        />
      )}
      {issue && (
        <Button component={Link} to={issueAddress(issue.id)} leftSection={<IconBug size={16} />}>
          Its issue
        </Button>
      )}
    </>
  )
}

function VerdictCard({ result }: { result: TestResult }) {
  const { byId } = useTests()
  const test = byId.get(result.testSubType)
  const [attempt] = result.testResults
  const reasons = [...new Set([attempt?.validationReason ?? '', ...result.errorsList])].filter(Boolean)
  return (
    <Paper withBorder p="md" component="section" aria-label="Verdict">
      <Group gap="sm" mb="xs">
        <Title order={2}>{result.vulnerable ? 'Finding' : 'Verdict'}</Title>
        <VerdictTag result={result} />
        {result.vulnerable && attempt && <SeverityTag severity={attempt.confidence} />}
      </Group>
      <Stack gap="sm">
        {result.vulnerable && test?.issueDescription && <Prose text={test.issueDescription} />}
        {result.vulnerable && test?.issueImpact && <Prose text={test.issueImpact} />}
        {reasons.map((reason) => (
          <Prose key={reason} text={reason} />
        ))}
        <Facts
          facts={[
            ['Category', test?.superCategory.displayName ?? result.testSuperType],
            ['Test', result.testSubType],
            ['CWE', <TypeTags key="cwe" names={test?.cwe ?? []} tone="gray" />],
            ['Tested', <TimeAgo key="time" seconds={result.endTimestamp} />],
          ]}
        />
      </Stack>
    </Paper>
  )
}

function Prose({ text }: { text: string }) {
  return (
    <Text size="sm" maw={820} style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  )
}

/** Names of roles whose credentials were used. */
function identityWords(identities: readonly string[]): string[] {
  return identities.map((name) => (name === '' ? 'as recorded' : name))
}

function EvidenceCard({ result }: { result: TestResult }) {
  const { data, error, isPending } = useRead('exportTestResultEvidence', {
    testingRunResultHexId: result.hexId,
  })
  const evidence = useMemo(() => (data === undefined ? null : readEvidence(data.evidence)), [data])
  return (
    <Paper withBorder p="md" component="section" aria-label="Evidence">
      <Group justify="space-between" mb="sm">
        <Title order={2}>Evidence</Title>
        <Group gap="xs">
          {evidence && <MarkdownButton result={result} evidence={evidence} />}
          {data && <EvidenceDownload resultId={result.hexId} file={data} />}
        </Group>
      </Group>
      {isPending && <TableSkeleton rows={3} label="Loading the evidence" />}
      {error && (
        <Stack>
          <FailureNotice error={error} />
          <AttemptsOnly result={result} />
        </Stack>
      )}
      {evidence && (
        <Stack>
          {evidence.identities.length > 0 && (
            <Group gap="xs">
              <Text size="sm">Sent as</Text>
              <TypeTags names={identityWords(evidence.identities)} tone="blue" />
            </Group>
          )}
          {evidence.selection && (
            <section aria-label="Why it was left out">
              <Title order={3} mb={4}>
                Why the test does not apply here
              </Title>
              <ConditionTree reason={evidence.selection} />
            </section>
          )}
          <EvidenceView evidence={evidence} isFinding={result.vulnerable} />
        </Stack>
      )}
    </Paper>
  )
}
