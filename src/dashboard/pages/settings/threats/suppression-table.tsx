import { ActionIcon, Group, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { CardFrame } from '../../../components/table/card-frame.tsx'
import { Pager } from '../../../components/table/pager.tsx'
import { Tag } from '../../../components/tag.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useCollectionNames } from '../../../data/use-collection-names.ts'
import { countText } from '../../../data/words.ts'
import type { Suppression } from './suppressions.tsx'

interface SuppressionTableProps {
  readonly rules: readonly Suppression[]
  /** Asks before one is removed; undefined for who may not. */
  readonly onRemove: ((rule: Suppression) => void) | undefined
}

/** Suppressions, a page at a time, those that dropped something lately first. */
export function SuppressionTable({ rules, onRemove }: SuppressionTableProps) {
  const [page, setPage] = useState(0)
  const [pageSize, setPageSize] = useState(25)
  const at = Math.min(page, Math.ceil(rules.length / pageSize) - 1)
  return (
    <>
      <CardFrame label="Suppressions">
        <Table aria-label="Suppressions" miw={780} verticalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Events of</Table.Th>
              <Table.Th ta="right">Dropped</Table.Th>
              <Table.Th>Last dropped</Table.Th>
              <Table.Th>Ends</Table.Th>
              <Table.Th>Made</Table.Th>
              {onRemove && (
                <Table.Th>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rules.slice(at * pageSize, (at + 1) * pageSize).map((rule) => (
              <SuppressionRow key={rule.id} rule={rule} onRemove={onRemove} />
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
      {rules.length > 25 && (
        <Pager
          page={at}
          pageSize={pageSize}
          total={rules.length}
          shown={rules.slice(at * pageSize, (at + 1) * pageSize).length}
          onPage={setPage}
          onPageSize={setPageSize}
          what="suppressions"
        />
      )}
    </>
  )
}

interface SuppressionRowProps extends Pick<SuppressionTableProps, 'onRemove'> {
  readonly rule: Suppression
}

function SuppressionRow({ rule, onRemove }: SuppressionRowProps) {
  return (
    <Table.Tr>
      <Table.Td data-label="Events of" maw={380}>
        <div>
          <SuppressionScope rule={rule} />
        </div>
      </Table.Td>
      <Table.Td data-label="Dropped" ta="right">
        {countText(rule.dropped)}
      </Table.Td>
      <Table.Td data-label="Last dropped">
        <TimeAgo seconds={rule.lastDroppedAt} />
      </Table.Td>
      <Table.Td data-label="Ends">
        <End seconds={rule.expiresAt} />
      </Table.Td>
      <Table.Td data-label="Made" maw={280} style={{ overflowWrap: 'anywhere' }}>
        <div>
          <Made rule={rule} />
        </div>
      </Table.Td>
      {onRemove && (
        <Table.Td ta="right">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove suppression ${rule.id}`}
            onClick={() => onRemove(rule)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Table.Td>
      )}
    </Table.Tr>
  )
}

/** Which events a suppression drops, a line for each of its conditions. */
export function SuppressionScope({ rule }: { rule: Suppression }) {
  const { names } = useCollectionNames()
  const collection =
    rule.apiCollectionId === null
      ? null
      : (names.get(rule.apiCollectionId) ?? `Collection ${rule.apiCollectionId}`)
  const parts = [
    ['filter', rule.filterId],
    ['actor', rule.actor],
    ['host', rule.host],
    ['collection', collection],
    ['URL', rule.url],
  ] as const
  return parts.map(
    ([word, value]) =>
      value !== null && (
        <Text key={word} size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Text span inherit c="dimmed">
            {word}
          </Text>{' '}
          {value}
        </Text>
      ),
  )
}

function End({ seconds }: { seconds: number }) {
  if (seconds > 0 && seconds * 1000 <= Date.now()) return <Tag>over</Tag>
  return <TimeAgo seconds={seconds} />
}

function Made({ rule: { origin, reason, createdBy, createdAt } }: { rule: Suppression }) {
  return (
    <>
      {reason !== '' && <Text size="sm">{reason}</Text>}
      <Group gap={6}>
        {origin === 'EVENT' && <Tag tone="blue">ignored event</Tag>}
        <Text size="xs" c="dimmed" component="div">
          <TimeAgo seconds={createdAt} /> by {createdBy}
        </Text>
      </Group>
    </>
  )
}
