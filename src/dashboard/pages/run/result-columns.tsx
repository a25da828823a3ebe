import { Anchor, Stack, Text } from '@mantine/core'
import { createColumnHelper } from '@tanstack/react-table'
import { Link } from 'react-router'
import type { TestResult } from '../../../contract/browser.ts'
import { ClampedText } from '../../components/clamped-text.tsx'
import { EndpointLink } from '../../components/endpoint/endpoint-link.tsx'
import { rowLinkProps } from '../../components/table/row-keys.ts'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { TestName, type TestNameProps } from '../../components/testing/test-name.tsx'
import { TriageTag, VerdictTag } from '../../components/testing/verdict.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'

const column = createColumnHelper<TestResult>()

/**
 * Columns of the results of an execution; the verdict is shown where a list holds several, and what became of the issue
 * beside findings.
 */
export function resultColumns(
  tests: TestNameProps['tests'],
  { withVerdict, withTriage }: { withVerdict: boolean; withTriage: boolean },
) {
  return [
    // Not an accessor: the table keeps its values, and the tests may become known after the row.
    column.display({
      id: 'test',
      header: 'Test',
      cell: ({ row: { original } }) => (
        <Stack gap={0}>
          <Anchor component={Link} to={`/results/${original.hexId}`} size="sm" {...rowLinkProps}>
            <TestName tests={tests} id={original.testSubType} />
          </Anchor>
          <Text size="xs" c="dimmed">
            {original.testSuperType}
          </Text>
        </Stack>
      ),
      meta: { minWidth: 220 },
    }),
    column.accessor((row) => row.apiInfoKey.url, {
      id: 'endpoint',
      header: 'Endpoint',
      enableSorting: false,
      cell: ({ row }) => <EndpointLink endpointKey={row.original.apiInfoKey} />,
      meta: { minWidth: 220 },
    }),
    ...(withVerdict
      ? [
          column.accessor((row) => row.vulnerable, {
            id: 'verdict',
            header: 'Verdict',
            enableSorting: false,
            cell: ({ row }) => <VerdictTag result={row.original} />,
          }),
        ]
      : []),
    ...(withTriage
      ? [
          column.accessor((row) => row.issueStatus, {
            id: 'triage',
            header: 'Issue now',
            enableSorting: false,
            cell: ({ row }) => <TriageTag result={row.original} />,
          }),
        ]
      : []),
    column.accessor((row) => (row.vulnerable ? row.testResults[0]?.confidence : undefined), {
      id: 'severity',
      header: 'Severity',
      cell: ({ getValue }) => {
        const severity = getValue()
        return severity === undefined ? null : <SeverityTag severity={severity} />
      },
      sortDescFirst: true,
    }),
    column.accessor((row) => row.testResults[0]?.validationReason ?? row.errorsList.join('; '), {
      id: 'why',
      header: 'Why',
      enableSorting: false,
      cell: ({ getValue }) => <ClampedText span size="sm" lines={2} text={getValue()} />,
      meta: { minWidth: 240 },
    }),
    column.accessor((row) => row.endTimestamp, {
      id: 'time',
      header: 'Tested',
      cell: ({ getValue }) => <TimeAgo seconds={getValue()} />,
      sortDescFirst: true,
    }),
  ]
}
