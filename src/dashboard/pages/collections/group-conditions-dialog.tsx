import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { ApiCollection, OperationName } from '../../../contract/browser.ts'
import { Dialog } from '../../components/dialog.tsx'
import { EndpointLink } from '../../components/endpoint/endpoint-link.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { countOf } from '../../data/words.ts'
import {
  emptyCondition,
  type GroupConditionDraft,
  groupConditionsOf,
  groupDraftOf,
  isCompleteGroup,
} from './group-conditions-draft.ts'
import { GroupConditionsFields } from './group-conditions-fields.tsx'
import { collectionReads } from './use-collections.ts'

interface GroupConditionsDialogProps {
  /** The group to change; null for a new one. */
  readonly group: ApiCollection | null
  readonly onClose: () => void
}

const outdated: readonly OperationName[] = [...collectionReads, 'getCollection']

/** Creates a group by conditions, or changes those of one, with the endpoints that meet them. */
export function GroupConditionsDialog({ group, onClose }: GroupConditionsDialogProps) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [conditions, setConditions] = useState<readonly GroupConditionDraft[]>(() =>
    group === null ? [emptyCondition] : groupDraftOf(group),
  )
  const create = useWrite('createCustomCollection', outdated)
  const update = useWrite('updateCustomCollection', outdated)
  const isComplete = isCompleteGroup(conditions)
  const submit = async () => {
    const sent = groupConditionsOf(conditions)
    try {
      if (group === null) {
        const made = await create.mutateAsync({ collectionName: name.trim(), conditions: sent })
        onClose()
        void navigate(`/apis/${made.apiCollectionId}`)
        return
      }
      await update.mutateAsync({ apiCollectionId: group.id, conditions: sent })
      onClose()
      notifications.show({ message: `The conditions of ${group.displayName} are saved.` })
    } catch {
      // The dialog shows what was refused.
    }
  }
  const failure = create.error ?? update.error
  return (
    <Dialog
      onClose={onClose}
      title={group === null ? 'New group' : `Conditions of ${group.displayName}`}
      size="lg"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Stack>
          {group === null && (
            <TextInput
              label="Name"
              description="Letters, digits, spaces, - . and _; at most 60."
              required
              maxLength={60}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
          )}
          <Text size="sm">
            Endpoints of all collections that meet the conditions are in the group, also those that come
            later. Endpoints that were added one by one stay.
          </Text>
          <GroupConditionsFields conditions={conditions} onChange={setConditions} />
          {isComplete && <Members conditions={conditions} />}
          {failure && <FailureNotice error={failure} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={create.isPending || update.isPending}
              disabled={!isComplete || (group === null && name.trim() === '')}
            >
              {group === null ? 'Create the group' : 'Save the conditions'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

const shown = 5

/** How many endpoints meet the conditions, and the first of them. */
function Members({ conditions }: { conditions: readonly GroupConditionDraft[] }) {
  const [settled] = useDebouncedValue(conditions, 400)
  const { data, error } = useRead(
    'getEndpointsListFromConditions',
    { conditions: groupConditionsOf(settled), limit: shown },
    { keepLast: true, enabled: isCompleteGroup(settled) },
  )
  if (error) return <FailureNotice error={error} />
  if (data === undefined) return null
  const endpoints = data.endpointsListFromConditions ?? []
  return (
    <Stack gap={4} component="section" aria-label="Members">
      <Text size="sm" role="status">
        {countOf(data.apiCount ?? 0, 'endpoint')} meet{data.apiCount === 1 ? 's' : ''} the conditions.
      </Text>
      {endpoints.map((key) => (
        <EndpointLink key={`${key.apiCollectionId} ${key.method} ${key.url}`} endpointKey={key} />
      ))}
      {(data.apiCount ?? 0) > endpoints.length && (
        <Text size="xs" c="dimmed">
          and {countOf((data.apiCount ?? 0) - endpoints.length, 'other')}
        </Text>
      )}
    </Stack>
  )
}
