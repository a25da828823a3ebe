import { Button, Group, MultiSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../../components/dialog.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { useRead, useWrite } from '../../../data/use-operation.ts'

interface ShareRoleDialogProps {
  readonly roleName: string
  /** The role as people call it. */
  readonly name: string
  readonly sharedWith: readonly number[]
  readonly onClose: () => void
}

/** Says whose runs may use a role: people with all collections always may. */
export function ShareRoleDialog({ roleName, name, sharedWith, onClose }: ShareRoleDialogProps) {
  const { data, error, refetch } = useRead('getAllCollectionsBasic', {})
  const share = useWrite('shareTestRole', ['fetchTestRoles'])
  const [ids, setIds] = useState<readonly number[]>(sharedWith)
  const collections = data?.apiCollections.map((one) => ({ value: String(one.id), label: one.displayName }))
  return (
    <Dialog onClose={onClose} title={`Share ${name}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          share.mutate({ roleName, apiCollectionIds: [...ids] }, { onSuccess: onClose })
        }}
      >
        <Stack>
          <Text size="sm">
            People who see only some collections can use this role in runs and crawls if one of their
            collections is chosen here. The role's credentials are then sent to their targets.
          </Text>
          {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
          <MultiSelect
            label="Shared with people of these collections"
            placeholder={ids.length === 0 ? 'Nobody' : undefined}
            data={collections ?? []}
            disabled={collections === undefined}
            value={ids.map(String)}
            onChange={(chosen) => setIds(chosen.map(Number))}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': 'Clear: collections' }}
            nothingFoundMessage="No collection of that name"
          />
          {share.error && <FailureNotice error={share.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={share.isPending} disabled={collections === undefined}>
              Save sharing
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
