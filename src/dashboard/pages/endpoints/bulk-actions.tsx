import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  IconDownload,
  IconFolderMinus,
  IconFolderPlus,
  IconPlayerPlay,
  IconTag,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import type { EndpointKey, EndpointOverview } from '../../../contract/browser.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import CareDialog from '../../components/endpoint/care-dialog.tsx'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { saveFile } from '../../data/save-file.ts'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { countOf } from '../../data/words.ts'
import { endpointsAsCsv } from './endpoints-as-csv.ts'
import { GroupDialog } from './group-dialog.tsx'
import { StateMenu } from './state-menu.tsx'

interface BulkActionsProps {
  /** The collection or group that is shown; null for all. */
  readonly collection: number | null
  readonly chosen: readonly EndpointOverview[]
  readonly onDone: () => void
  /** Shown after the number of the chosen ones. */
  readonly children?: ReactNode
}

/** What can be done with the chosen endpoints at once. */
export default function BulkActions({ collection, chosen, onDone, children }: BulkActionsProps) {
  const [asks, setAsks] = useState<'group' | 'care' | 'delete' | null>(null)
  const navigate = useNavigate()
  const remove = useWrite('deleteApis')
  const keys = chosen.map(({ id }) => id)
  const button = { size: 'xs', variant: 'default' } as const
  const close = () => setAsks(null)
  return (
    <Group px="sm" pb="sm" gap="xs" role="group" aria-label="Chosen endpoints">
      <Text size="sm" role="status">
        {countOf(chosen.length, 'endpoint')} chosen
      </Text>
      {children}
      <Button
        {...button}
        leftSection={<IconPlayerPlay size={14} />}
        onClick={() => void navigate('/runs/new', { state: { endpoints: keys } })}
      >
        Test
      </Button>
      <Button {...button} leftSection={<IconFolderPlus size={14} />} onClick={() => setAsks('group')}>
        Add to group
      </Button>
      {collection !== null && <RemoveFromGroup collection={collection} endpoints={keys} onDone={onDone} />}
      <Button {...button} leftSection={<IconTag size={14} />} onClick={() => setAsks('care')}>
        Tag
      </Button>
      <StateMenu chosen={chosen} onDone={onDone} />
      <Button
        {...button}
        leftSection={<IconDownload size={14} />}
        onClick={() => saveFile('endpoints.csv', endpointsAsCsv(chosen, location.origin), 'text/csv')}
      >
        Export as CSV
      </Button>
      <Button {...button} leftSection={<IconTrash size={14} />} onClick={() => setAsks('delete')}>
        Delete
      </Button>
      <Button size="xs" variant="subtle" leftSection={<IconX size={14} />} onClick={onDone}>
        Clear selection
      </Button>
      {asks === 'group' && <GroupDialog endpoints={keys} onClose={close} onDone={onDone} />}
      {asks === 'care' && <CareDialog endpoints={chosen} onClose={close} onDone={onDone} />}
      {asks === 'delete' && (
        <ConfirmDialog
          title={`Delete ${countOf(chosen.length, 'endpoint')}?`}
          confirmLabel="Delete"
          busy={remove.isPending}
          failure={remove.error}
          onConfirm={() => void remove.mutateAsync({ apiList: keys }).then(onDone, () => {})}
          onClose={close}
        >
          Their samples, parameters and statistics are deleted with them. Traffic that comes later adds them
          again.
        </ConfirmDialog>
      )}
    </Group>
  )
}

interface RemoveFromGroupProps {
  readonly collection: number
  readonly endpoints: readonly EndpointKey[]
  readonly onDone: () => void
}

/** Takes endpoints out of the group that is shown; nothing in other collections. */
function RemoveFromGroup({ collection, endpoints, onDone }: RemoveFromGroupProps) {
  const { data } = useRead('getCollection', { apiCollectionId: collection })
  const remove = useWrite('removeApisFromCustomCollection')
  const group = data?.[0]
  if (group?.type !== 'API_GROUP' || group.automated) return null
  const collectionName = group.name
  // The rows go away with the answer, and this button with them: what follows hangs on the promise.
  const takeOut = async () => {
    try {
      await remove.mutateAsync({ collectionName, apiList: [...endpoints] })
    } catch (error) {
      notifyFailure(error)
      return
    }
    notifications.show({
      message: `Removed from the group ${collectionName}. Endpoints that meet its conditions stay in it.`,
    })
    onDone()
  }
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconFolderMinus size={14} />}
      loading={remove.isPending}
      onClick={() => void takeOut()}
    >
      Remove from group
    </Button>
  )
}
