import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import type { KeyKind } from '../../../../contract/browser.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { FreshSecret } from '../../../components/fresh-secret.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { t } from '../../../i18n/translate.ts'
import { keyKinds } from './key-kinds.ts'

/** Days after which a key may expire. */
const lives = [7, 30, 90]

/** Creates a key and shows it, once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const create = useWrite('addApiToken', ['fetchApiTokens'])
  const made = create.data?.apiTokenList?.[0]
  if (made) {
    return (
      <Dialog onClose={onClose} title={t('keys.theNew')}>
        <Stack>
          <FreshSecret secret={made.key} what={t('keys.theKey')} />
          <Button onClick={onClose}>{t('keys.saved')}</Button>
        </Stack>
      </Dialog>
    )
  }
  return (
    <Dialog onClose={onClose} title={t('keys.new')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const fields = new FormData(event.currentTarget)
          create.mutate({
            tokenUtility: String(fields.get('kind')) as KeyKind,
            name: String(fields.get('name')).trim() || null,
            expiresInDays: Number(fields.get('life')) || null,
          })
        }}
      >
        <Stack>
          <TextInput
            label={t('common.name')}
            name="name"
            description={t('keys.nameNote')}
            placeholder={t('keys.namePlaceholder')}
            maxLength={100}
            data-autofocus
          />
          <Select
            label={t('keys.scope')}
            name="kind"
            data={keyKinds.map(({ value, label }) => ({ value, label: t(label) }))}
            defaultValue="EXTERNAL_API"
            allowDeselect={false}
          />
          <Select
            label={t('keys.expiresAfter')}
            name="life"
            description={t('keys.expiryNote')}
            data={[
              { value: '', label: t('common.never') },
              ...lives.map((count) => ({ value: String(count), label: t('keys.days', { count }) })),
              { value: '365', label: t('keys.year') },
            ]}
            defaultValue=""
            allowDeselect={false}
          />
          {create.error && <FailureNotice error={create.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {t('keys.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
