import { Anchor, Breadcrumbs, Button, Group, Paper, Table, Text } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { EndpointKey, ResponseOf } from '../../../contract/browser.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { EndpointLink } from '../../components/endpoint/endpoint-link.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { FalsePositiveDialog } from '../../components/testing/false-positive-dialog.tsx'
import { issueReads } from '../../components/testing/issue-reads.ts'
import { TestName } from '../../components/testing/test-name.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { useCollectionNames } from '../../data/use-collection-names.ts'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { useMayWrite, useOwnUser } from '../../data/use-own-user.ts'
import { testTitle, useTests } from '../../data/use-tests.ts'
import { countOf, countText } from '../../data/words.ts'

type Rule = ResponseOf<'fetchFalsePositives'>['rules'][number]

/** Findings that people know to be false: the rules that ignore them, what each ignored, and how to change it. */
export default function FalsePositives() {
  const { data, error, refetch } = useRead('fetchFalsePositives', {})
  return (
    <>
      <PageHeader
        title="False positives"
        description="Rules made from findings that people know to be false. What a rule ignores opens again when it is removed."
        trail={
          <Breadcrumbs>
            <Anchor component={Link} to="/issues" size="sm">
              Issues
            </Anchor>
          </Breadcrumbs>
        }
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <Paper withBorder>
        {data === undefined && !error && <TableSkeleton label="Loading the rules" />}
        {data?.rules.length === 0 && (
          <EmptyState
            icon={<IconEyeOff size={28} />}
            title="No rule yet"
            actions={
              <Button component={Link} to="/issues">
                Go to the issues
              </Button>
            }
          >
            Mark an issue or a result as a false positive, with a reason, and its rule appears here.
          </EmptyState>
        )}
        {data && data.rules.length > 0 && <RuleTable rules={data.rules} />}
      </Paper>
    </>
  )
}

function RuleTable({ rules }: { readonly rules: readonly Rule[] }) {
  const tests = useTests()
  const mayWrite = useMayWrite()
  const isRestricted = (useOwnUser()?.collectionIds ?? null) !== null
  return (
    <CardFrame label="Rules">
      <Table aria-label="Rules for false positives" miw={740}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Test</Table.Th>
            <Table.Th>Where</Table.Th>
            <Table.Th>Why</Table.Th>
            <Table.Th ta="right">Findings ignored</Table.Th>
            <Table.Th>Last</Table.Th>
            <Table.Th>By</Table.Th>
            {mayWrite && <Table.Th>Actions</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rules.map((rule) => (
            <Table.Tr key={rule.ruleId}>
              <Table.Td data-label="Test">
                <TestName tests={tests} id={rule.testSubCategory} />
              </Table.Td>
              <Table.Td data-label="Where" miw={200}>
                <Place rule={rule} />
              </Table.Td>
              <Table.Td data-label="Why" miw={110} maw={320} style={{ overflowWrap: 'anywhere' }}>
                {rule.reason}
              </Table.Td>
              <Table.Td data-label="Findings ignored" ta="right">
                {countText(rule.hits)}
              </Table.Td>
              <Table.Td data-label="Last">
                <TimeAgo seconds={rule.lastHitAt} />
              </Table.Td>
              <Table.Td data-label="By" miw={110} style={{ overflowWrap: 'anywhere' }}>
                {rule.updatedBy}
              </Table.Td>
              {mayWrite && (
                <Table.Td data-label="Actions">
                  {isRestricted && rule.scope === 'EVERYWHERE' ? (
                    'Changed by people who see every collection'
                  ) : (
                    <RuleActions rule={rule} name={testTitle(tests.byId, rule.testSubCategory)} />
                  )}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </CardFrame>
  )
}

function Place({ rule }: { readonly rule: Rule }) {
  const { names } = useCollectionNames()
  if (rule.scope === 'EVERYWHERE' || rule.apiCollectionId === null) return <>Everywhere</>
  if (rule.scope === 'COLLECTION')
    return <>Collection {names.get(rule.apiCollectionId) ?? rule.apiCollectionId}</>
  return <EndpointLink endpointKey={keyOf(rule)} />
}

function keyOf({ apiCollectionId, method, url }: Rule): EndpointKey {
  return { apiCollectionId: apiCollectionId ?? 0, method: method ?? 'GET', url: url ?? '' } as EndpointKey
}

function RuleActions({ rule, name }: { readonly rule: Rule; readonly name: string }) {
  const [open, setOpen] = useState<'change' | 'remove' | null>(null)
  const remove = useWrite('deleteFalsePositive', issueReads)
  const issueId = {
    testSubCategory: rule.testSubCategory,
    testErrorSource: 'AUTOMATED_TESTING',
    apiInfoKey: keyOf(rule),
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Change the rule for ${name}`}
        onClick={() => setOpen('change')}
      >
        Change
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Remove the rule for ${name}`}
        onClick={() => setOpen('remove')}
      >
        Remove
      </Button>
      {open === 'change' && (
        <FalsePositiveDialog issueId={issueId} rule={rule} onClose={() => setOpen(null)} />
      )}
      {open === 'remove' && (
        <ConfirmDialog
          title="Remove the rule"
          confirmLabel="Remove"
          busy={remove.isPending}
          failure={remove.error}
          onClose={() => setOpen(null)}
          onConfirm={() => remove.mutate({ ruleId: rule.ruleId }, { onSuccess: () => setOpen(null) })}
        >
          <Text size="sm">
            {rule.issuesCount > 0 &&
              `This reopens ${countOf(rule.issuesCount, 'issue')} that the rule ignores. `}
            Later findings are reported again.
          </Text>
        </ConfirmDialog>
      )}
    </Group>
  )
}
