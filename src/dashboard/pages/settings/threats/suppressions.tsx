import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconFilterOff, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type ResponseOf, suppressionLimits, type User } from '../../../../contract/browser.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../../components/feedback/table-skeleton.tsx'
import { useRead, useWrite } from '../../../data/use-operation.ts'
import { countText } from '../../../data/words.ts'
import { SuppressionDialog } from './suppression-dialog.tsx'
import { SuppressionScope, SuppressionTable } from './suppression-table.tsx'

/** A rule by which events are not stored, as the server lists it. */
export type Suppression = ResponseOf<'fetchThreatSuppressions'>['suppressions'][number]

/** Rules by which events are not stored, each with what it dropped. */
export function Suppressions({ user }: { user: User }) {
  return (
    <Paper withBorder component="section" aria-label="Events that are not stored">
      {user.role === 'GUEST' ? (
        <>
          <Title order={2} p="md" pb="xs">
            Events that are not stored
          </Title>
          <Text size="sm" px="md" pb="md">
            Members and administrators see these. Your role reads results only.
          </Text>
        </>
      ) : (
        <ListedSuppressions user={user} />
      )}
    </Paper>
  )
}

function ListedSuppressions({ user }: { user: User }) {
  const { data, error, refetch } = useRead('fetchThreatSuppressions', {}, { refreshEvery: 15_000 })
  const [adding, setAdding] = useState(false)
  const [doomed, setDoomed] = useState<Suppression | null>(null)
  const isAdmin = user.role === 'ADMIN'
  const rules = data?.suppressions
  const isFull =
    rules !== undefined && rules.filter(({ origin }) => origin === 'PERSON').length >= suppressionLimits.most
  const add = isAdmin && (
    <Button leftSection={<IconPlus size={16} />} disabled={isFull} onClick={() => setAdding(true)}>
      New suppression
    </Button>
  )
  return (
    <>
      <Group justify="space-between" p="md" pb="xs">
        <Title order={2}>Events that are not stored</Title>
        {rules !== undefined && rules.length > 0 && add}
      </Group>
      <Text size="sm" c="dimmed" px="md" pb="xs">
        Events that match every condition of a row are dropped before they are counted or stored.{' '}
        {rightsText(user)}
      </Text>
      {isAdmin && isFull && (
        <Text size="sm" px="md" pb="xs">
          The maximum number of suppressions is reached. Delete some, or create one that covers several.
        </Text>
      )}
      {rules !== undefined && rules.length >= suppressionLimits.listed && (
        <Text size="sm" px="md" pb="xs">
          These {countText(suppressionLimits.listed)} dropped something last; there may be more.
        </Text>
      )}
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {rules === undefined && !error && <TableSkeleton rows={3} label="Loading the suppressions" />}
      {rules?.length === 0 && (
        <EmptyState icon={<IconFilterOff size={28} />} title="Every event is stored" actions={add}>
          A suppression drops known events, such as those of your own scanner. Ignoring an event creates one
          for its URL and filter.
        </EmptyState>
      )}
      {rules !== undefined && rules.length > 0 && (
        <SuppressionTable
          rules={rules}
          onRemove={isAdmin && user.collectionIds === null ? setDoomed : undefined}
        />
      )}
      {adding && (
        <SuppressionDialog needsCollection={user.collectionIds !== null} onClose={() => setAdding(false)} />
      )}
      {doomed && <RemoveSuppression rule={doomed} onClose={() => setDoomed(null)} />}
    </>
  )
}

/** Who changes the list, for those who may not. */
function rightsText({ role, collectionIds }: User): string {
  if (role !== 'ADMIN') return 'Administrators add and remove them.'
  if (collectionIds === null) return ''
  return 'You add them for your collections; administrators of all collections remove them.'
}

function RemoveSuppression({ rule, onClose }: { rule: Suppression; onClose: () => void }) {
  const remove = useWrite('removeThreatSuppression', ['fetchThreatSuppressions'])
  return (
    <ConfirmDialog
      title="Remove this suppression?"
      confirmLabel="Remove the suppression"
      busy={remove.isPending}
      failure={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate({ id: rule.id }, { onSuccess: onClose })}
    >
      <SuppressionScope rule={rule} />
      <Text size="sm" mt="sm">
        Later events of this kind are stored again. Dropped events are not restored.
      </Text>
    </ConfirmDialog>
  )
}
