import { ActionIcon, Anchor, Breadcrumbs, Button, Group, Paper, Table, VisuallyHidden } from '@mantine/core'
import { IconListCheck, IconPencil, IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { TestSuite } from '../../../contract/browser.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { useTests } from '../../data/use-tests.ts'
import { countOf } from '../../data/words.ts'
import { SuiteDialog } from './suite-dialog.tsx'

/** Named lists of tests that runs take as a whole. */
export default function Suites() {
  const { data, error, refetch } = useRead('fetchAllTestSuites', {})
  const mayWrite = useMayWrite()
  const [edited, setEdited] = useState<TestSuite | 'new' | null>(null)
  const suites = data?.testSuiteList
  const create = mayWrite && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
      New suite
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Test suites"
        description="Named lists of tests. When you change a suite, the next execution of every run that uses it changes too."
        trail={
          <Breadcrumbs>
            <Anchor component={Link} to="/library" size="sm">
              Test library
            </Anchor>
          </Breadcrumbs>
        }
        actions={create}
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <Paper withBorder>
        {suites === undefined && !error && <TableSkeleton rows={3} label="Loading the suites" />}
        {suites?.length === 0 && (
          <EmptyState icon={<IconListCheck size={28} />} title="No suite yet" actions={create}>
            A suite is a saved list of tests, for example for every release or every night.
          </EmptyState>
        )}
        {suites !== undefined && suites.length > 0 && (
          <SuiteTable suites={suites} mayWrite={mayWrite} onEdit={setEdited} />
        )}
      </Paper>
      {edited !== null && (
        <SuiteDialog suite={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  )
}

interface SuiteTableProps {
  readonly suites: readonly TestSuite[]
  readonly mayWrite: boolean
  readonly onEdit: (suite: TestSuite) => void
}

function SuiteTable({ suites, mayWrite, onEdit }: SuiteTableProps) {
  const [doomed, setDoomed] = useState<TestSuite | null>(null)
  const remove = useWrite('deleteTestSuite', ['fetchAllTestSuites'])
  return (
    <>
      <CardFrame label="Test suites">
        <Table aria-label="Test suites" miw={620} verticalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Tests</Table.Th>
              <Table.Th>Changed</Table.Th>
              <Table.Th>Made by</Table.Th>
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {suites.map((suite) => (
              <Table.Tr key={suite.hexId}>
                <Table.Td data-label="Name" style={{ overflowWrap: 'anywhere' }}>
                  {suite.name}
                </Table.Td>
                <Table.Td data-label="Tests">
                  <SuiteTests suite={suite} />
                </Table.Td>
                <Table.Td data-label="Changed">
                  <TimeAgo seconds={suite.lastUpdated} />
                </Table.Td>
                <Table.Td data-label="Made by">{suite.createdBy}</Table.Td>
                <Table.Td>
                  {mayWrite && (
                    <Group gap={4} justify="flex-end" wrap="nowrap">
                      <Button
                        component={Link}
                        to={`/runs/new?suite=${suite.hexId}`}
                        size="compact-sm"
                        variant="default"
                        leftSection={<IconPlayerPlay size={14} />}
                        aria-label={`Run ${suite.name}`}
                      >
                        Run
                      </Button>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={`Change ${suite.name}`}
                        onClick={() => onEdit(suite)}
                      >
                        <IconPencil size={16} />
                      </ActionIcon>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={`Delete ${suite.name}`}
                        onClick={() => setDoomed(suite)}
                      >
                        <IconTrash size={16} />
                      </ActionIcon>
                    </Group>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
      {doomed !== null && (
        <ConfirmDialog
          title={`Delete the suite ${doomed.name}?`}
          confirmLabel="Delete the suite"
          busy={remove.isPending}
          failure={remove.error}
          onClose={() => setDoomed(null)}
          onConfirm={() =>
            remove.mutate({ testSuiteHexId: doomed.hexId }, { onSuccess: () => setDoomed(null) })
          }
        >
          Runs that use the suite continue without its tests. The tests themselves stay.
        </ConfirmDialog>
      )}
    </>
  )
}

/** How many tests a suite has, and how many of them no run can take. */
function SuiteTests({ suite }: { suite: TestSuite }) {
  const { data, byId } = useTests()
  const count = countOf(suite.subCategoryList.length, 'test')
  if (data === undefined) return count
  const missing = suite.subCategoryList.filter((id) => byId.get(id)?.inactive !== false).length
  return missing === 0 ? count : `${count}, ${missing} of them switched off or gone`
}
