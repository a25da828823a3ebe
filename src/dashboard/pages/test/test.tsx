import { Anchor, Breadcrumbs, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconCopy, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import type { TestTemplate } from '../../../contract/browser.ts'
import { CodeBlock } from '../../components/code/code-block.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Facts } from '../../components/facts.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { MissingPage } from '../../components/feedback/missing.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RemedyCard } from '../../components/testing/remedy-card.tsx'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { Difference } from '../../components/yaml/difference.tsx'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { useTests } from '../../data/use-tests.ts'
import { TestSwitch } from '../library/library.tsx'

/** One test of the library: what it looks for, its YAML, and the remedy. */
export default function Test() {
  const { test: id = '' } = useParams()
  const { data, byId, error, refetch } = useTests()
  const test = byId.get(id)
  if (data !== undefined && test === undefined) return <MissingPage kind="test" />
  return (
    <>
      <PageHeader
        title={test?.testName ?? id}
        trail={
          <Breadcrumbs>
            <Anchor component={Link} to="/library" size="sm">
              Test library
            </Anchor>
          </Breadcrumbs>
        }
        description={test && id}
        actions={test && <TestActions test={test} />}
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && (
        <Paper withBorder>
          <TableSkeleton label="Loading the test" />
        </Paper>
      )}
      {test && (
        <Stack>
          <About test={test} />
          <Yaml testId={id} />
          <FromOriginal testId={id} />
          <RemedyCard testId={id} />
        </Stack>
      )}
    </>
  )
}

function TestActions({ test }: { test: TestTemplate }) {
  const mayWrite = useMayWrite()
  if (!mayWrite) return null
  return (
    <>
      <Button
        component={Link}
        to={`/library/new?from=${encodeURIComponent(test.name)}`}
        variant="default"
        leftSection={
          test.templateSource?._name === 'CUSTOM' ? <IconPencil size={16} /> : <IconCopy size={16} />
        }
      >
        Open in the editor
      </Button>
      {test.templateSource?._name === 'CUSTOM' && <DeleteTest test={test} />}
      <Button
        component={Link}
        to={`/runs/new?test=${encodeURIComponent(test.name)}`}
        leftSection={<IconPlayerPlay size={16} />}
      >
        Run it
      </Button>
    </>
  )
}

/** Deletes a test that somebody wrote here; then a built-in one of the same id is used again. */
function DeleteTest({ test }: { test: TestTemplate }) {
  const navigate = useNavigate()
  const remove = useWrite('deleteTestTemplate')
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => setAsking(true)}>
        Delete
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Delete ${test.name}?`}
          confirmLabel="Delete the test"
          busy={remove.isPending}
          failure={remove.error}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            void remove
              .mutateAsync({ originalTestId: test.name })
              .then(() => navigate('/library'))
              // The dialog shows the refusal from the state of the write.
              .catch(() => undefined)
          }
        >
          Runs no longer have it. A built-in test with the same ID is used again. Issues that it found stay.
        </ConfirmDialog>
      )}
    </>
  )
}

function About({ test }: { test: TestTemplate }) {
  const mayWrite = useMayWrite()
  const standards = Object.entries(test.compliance?.mapComplianceToListClauses ?? {})
  return (
    <Paper withBorder p="md" component="section" aria-label="About this test">
      <Group justify="space-between" mb="xs">
        <Group gap="sm">
          <Title order={2}>About this test</Title>
          <SeverityTag severity={test.superCategory.severity._name} />
        </Group>
        <Group gap="xs">
          <Text size="sm">{test.inactive ? 'Switched off' : 'Switched on'}</Text>
          <TestSwitch test={test} mayWrite={mayWrite} />
        </Group>
      </Group>
      <Stack gap="sm">
        {[test.issueDescription, test.issueDetails, test.issueImpact].map(
          (text) =>
            text && (
              <Text key={text} size="sm" maw={820} style={{ overflowWrap: 'anywhere' }}>
                {text}
              </Text>
            ),
        )}
        <Facts
          facts={[
            ['Category', test.superCategory.displayName],
            ['Effect', test.attributes?.nature._name === 'INTRUSIVE' ? 'may change data' : 'only reads'],
            ['Time', test.attributes?.duration._name === 'SLOW' ? 'slow' : 'fast'],
            ['CWE', test.cwe.join(', ') || '–'],
            ['CVE', test.cve.join(', ') || '–'],
            [
              'Standards',
              standards.map(([name, clauses]) => `${name} ${clauses.join(', ')}`).join('; ') || '–',
            ],
          ]}
        />
      </Stack>
    </Paper>
  )
}

/** How a test differs from the one that it was made from. */
function FromOriginal({ testId }: { testId: string }) {
  const { data } = useRead('fetchTestContent', { originalTestId: testId })
  if (data?.original === undefined) return null
  const { testId: from, content } = data.original
  return (
    <Difference
      title={`Made from ${from}`}
      before={content}
      after={data.content}
      label={`Difference from ${from}`}
    >
      Compared with {from} as it is now, so that its later corrections can be taken over.
    </Difference>
  )
}

function Yaml({ testId }: { testId: string }) {
  const { data, error, refetch } = useRead('fetchTestContent', { originalTestId: testId })
  return (
    <Paper withBorder p="md" component="section" aria-label="YAML">
      <Group justify="space-between" mb="sm">
        <Title order={2}>The test in YAML</Title>
        {data && <CopyButton text={data.content} what="the test" />}
      </Group>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height={200} />}
      {data && <CodeBlock text={data.content} label="The test in YAML" />}
    </Paper>
  )
}
