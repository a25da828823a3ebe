import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import type { KeyKind } from '../../../../contract/browser.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { FreshSecret } from '../../../components/fresh-secret.tsx'
import { useWrite } from '../../../data/use-operation.ts'

const kinds: readonly { value: KeyKind; label: string }[] = [
  { value: 'EXTERNAL_API', label: 'Everything that keys may reach' },
  { value: 'CICD', label: 'Builds: start test runs and read results' },
  { value: 'BURP', label: 'Burp extension: send recordings' },
]

const lives = [
  { value: '', label: 'Never' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
]

/** Creates a key and shows it, once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const create = useWrite('addApiToken', ['fetchApiTokens'])
  const made = create.data?.apiTokenList?.[0]
  if (made) {
    return (
      <Dialog onClose={onClose} title="The new key">
        <Stack>
          <FreshSecret secret={made.key} what="key" />
          <Button onClick={onClose}>I have saved the key</Button>
        </Stack>
      </Dialog>
    )
  }
  return (
    <Dialog onClose={onClose} title="New key">
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
            label="Name"
            name="name"
            description="To tell keys apart later."
            placeholder="traffic agent in staging"
            maxLength={100}
            data-autofocus
          />
          <Select
            label="What it opens"
            name="kind"
            data={[...kinds]}
            defaultValue="EXTERNAL_API"
            allowDeselect={false}
          />
          <Select
            label="Expires after"
            name="life"
            description="An expired key is refused; it stays listed until you delete it."
            data={lives}
            defaultValue=""
            allowDeselect={false}
          />
          {create.error && <FailureNotice error={create.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create the key
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
