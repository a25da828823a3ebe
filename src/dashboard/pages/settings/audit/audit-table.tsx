import { Code, Stack, Table, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import type { ResponseOf } from '../../../../contract/browser.ts'
import { ScrollFrame } from '../../../components/table/scroll-frame.tsx'
import { Tag } from '../../../components/tag.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { actionText } from './action-text.ts'

export type AuditEntry = ResponseOf<'fetchAuditLog'>['auditLogs'][number]

interface AuditTableProps {
  readonly entries: readonly AuditEntry[]
  /** Older entries are shown while newer ones are on their way. */
  readonly isStale: boolean
}

/** Entries of the audit log; each opens to its request and its changes. */
export function AuditTable({ entries, isStale }: AuditTableProps) {
  const [open, setOpen] = useState<number | null>(null)
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed" p="md">
        No entry. Changes and sign-ins appear here as they happen.
      </Text>
    )
  return (
    <ScrollFrame label="Audit log">
      <Table aria-label="Audit log" miw={760} opacity={isStale ? 0.6 : 1} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Action</Table.Th>
            <Table.Th>Who</Table.Th>
            <Table.Th>From</Table.Th>
            <Table.Th>Outcome</Table.Th>
            <Table.Th>When</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Fragment key={entry.id}>
              <Table.Tr>
                <Table.Td>
                  <UnstyledButton
                    aria-expanded={open === entry.id}
                    onClick={() => setOpen(open === entry.id ? null : entry.id)}
                  >
                    {open === entry.id ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}{' '}
                    {actionText(entry.action)}
                  </UnstyledButton>
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{entry.login}</Table.Td>
                <Table.Td>
                  {entry.ip}
                  {entry.keyId !== null && (
                    <Text size="xs" c="dimmed">
                      {entry.via} key {entry.keyId}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <Outcome outcome={entry.outcome} />
                </Table.Td>
                <Table.Td>
                  <TimeAgo seconds={entry.timestamp} />
                </Table.Td>
              </Table.Tr>
              {open === entry.id && (
                <Table.Tr>
                  <Table.Td colSpan={5}>
                    <Details entry={entry} />
                  </Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollFrame>
  )
}

function Outcome({ outcome }: { readonly outcome: string | null }) {
  if (outcome === null) return <Tag tone="gray">not known</Tag>
  return outcome === 'OK' ? <Tag tone="green">done</Tag> : <Tag tone="red">refused: {outcome}</Tag>
}

function Details({ entry }: { readonly entry: AuditEntry }) {
  const hasRequest = Object.keys(entry.request).length > 0
  if (!hasRequest && entry.changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing more is known of it.
      </Text>
    )
  return (
    <Stack gap="xs">
      {hasRequest && (
        <div>
          <Text size="sm" fw={600}>
            Request
          </Text>
          <Json value={entry.request} />
        </div>
      )}
      {entry.changes.map((change) => (
        <div key={`${change.kind} ${change.id}`}>
          <Text size="sm" fw={600}>
            {change.kind} {change.id}
          </Text>
          <Text size="xs" c="dimmed">
            Before
          </Text>
          {change.before === null ? <Text size="sm">It did not exist.</Text> : <Json value={change.before} />}
          <Text size="xs" c="dimmed">
            After
          </Text>
          {change.after === null ? <Text size="sm">It was removed.</Text> : <Json value={change.after} />}
        </div>
      ))}
    </Stack>
  )
}

function Json({ value }: { readonly value: object }) {
  return (
    <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {JSON.stringify(value, null, 2)}
    </Code>
  )
}
