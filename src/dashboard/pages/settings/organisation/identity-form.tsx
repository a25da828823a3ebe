import { Button, Group, Paper, Select, Stack, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import type { ResponseOf } from '../../../../contract/browser.ts'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { zoneChoices } from '../../../data/time-zone.ts'
import { useWrite } from '../../../data/use-operation.ts'
import { t } from '../../../i18n/translate.ts'

interface IdentityFormProps {
  readonly organisation: ResponseOf<'fetchOrganisation'>['organisation']
  readonly isAdmin: boolean
}

/** Name of the organisation, and the zone of people who chose none. */
export function IdentityForm({ organisation, isAdmin }: IdentityFormProps) {
  const update = useWrite('updateOrganisation', ['fetchOrganisation'])
  const [name, setName] = useState(organisation.name)
  const [zone, setZone] = useState(organisation.timeZone)
  const isSame = name.trim() === organisation.name && zone === organisation.timeZone
  return (
    <Paper withBorder p="md" component="section" aria-label={t('organisation.identity')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          update.mutate({ name: name.trim(), timeZone: zone })
        }}
      >
        <Stack>
          <Title order={2}>{t('organisation.identity')}</Title>
          <TextInput
            label={t('common.name')}
            description={t('organisation.nameNote')}
            value={name}
            maxLength={100}
            disabled={!isAdmin}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Select
            label={t('time.zone')}
            description={t('organisation.zoneNote')}
            data={[
              { value: '', label: t('organisation.zoneOfBrowser') },
              ...zoneChoices().map(({ value }) => ({ value, label: value })),
            ]}
            value={zone}
            searchable
            allowDeselect={false}
            limit={100}
            openOnFocus={false}
            disabled={!isAdmin}
            onChange={(next) => setZone(next ?? '')}
          />
          {update.error && <FailureNotice error={update.error} />}
          {isAdmin && (
            <Group justify="flex-end">
              <Button type="submit" loading={update.isPending} disabled={isSame}>
                {t('common.save')}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Paper>
  )
}
