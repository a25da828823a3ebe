import { Button, Group, MultiSelect, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { User } from '../../../../contract/browser.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { useCollectionNames } from '../../../data/use-collection-names.ts'
import { useWrite } from '../../../data/use-operation.ts'
import { t } from '../../../i18n/translate.ts'

/** Which collections a person may see. */
export function CollectionsDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { choices } = useCollectionNames()
  const update = useWrite('updateUserCollections', ['getTeamData', 'getAllUsersCollections'])
  const [isRestricted, setRestricted] = useState(user.collectionIds !== null)
  const [chosen, setChosen] = useState<string[]>((user.collectionIds ?? []).map(String))
  const save = () =>
    update.mutate(
      { userCollectionMap: { [user.id]: isRestricted ? chosen.map(Number) : null } },
      { onSuccess: onClose },
    )
  return (
    <Dialog onClose={onClose} title={t('team.collectionsOf', { login: user.login })}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <Stack>
          <Radio.Group
            label={t('team.maySee')}
            value={isRestricted ? 'some' : 'all'}
            onChange={(value) => setRestricted(value === 'some')}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="all" label={t('team.seesAll')} />
              <Radio value="some" label={t('team.seesSome')} />
            </Stack>
          </Radio.Group>
          {isRestricted && (
            <MultiSelect
              label={t('page.collections')}
              data={choices}
              value={chosen}
              onChange={setChosen}
              searchable
              clearable
              clearButtonProps={{ 'aria-label': t('team.clearCollections') }}
            />
          )}
          {isRestricted && chosen.length === 0 && <Text size="sm">{t('team.seesNone')}</Text>}
          {update.error && <FailureNotice error={update.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={update.isPending}>
              {t('common.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
