import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { Dialog } from '../../../components/dialog.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { type HeaderActor, useWriteHeaders } from './header-actors.tsx'

interface HeaderDialogProps {
  readonly headers: readonly HeaderActor[]
  /** Place of the one that is changed; a new one stands last. */
  readonly at?: number
  readonly onClose: () => void
}

/** Names a header whose value is the actor on some hosts, or changes one. */
export function HeaderDialog({ headers, at, onClose }: HeaderDialogProps) {
  const write = useWriteHeaders()
  const known = at === undefined ? undefined : headers[at]
  return (
    <Dialog onClose={onClose} title={known ? 'Change the header' : 'Name a header'}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const fields = new FormData(event.currentTarget)
          const text = (name: string) => String(fields.get(name) ?? '').trim()
          const header: HeaderActor = {
            type: 'header',
            key: text('key').toLowerCase(),
            kind: 'hostname',
            pattern: text('pattern'),
          }
          write.save(
            known ? headers.map((one, index) => (index === at ? header : one)) : [...headers, header],
            { onSuccess: onClose },
          )
        }}
      >
        <Stack>
          <HeaderFields known={known} />
          {write.error && <FailureNotice error={write.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={write.isPending}>
              Save the header
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function HeaderFields({ known }: { known: HeaderActor | undefined }) {
  return (
    <>
      <Text size="sm">
        Name only a header that callers cannot choose freely, such as a key that your API checks or one that
        your gateway writes: who can write it acts as somebody else.
      </Text>
      <TextInput
        label="Header"
        description="Upper and lower case are the same."
        name="key"
        required
        maxLength={64}
        pattern="\s*[^\s:]+\s*"
        title="The name of a header, without blanks and colons"
        placeholder="x-client-id"
        defaultValue={known?.key ?? ''}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        label="On hosts that match"
        description="A regular expression (RE2 syntax), found anywhere in the host in lower case. A single dot fits every host."
        name="pattern"
        required
        maxLength={200}
        placeholder="^api\."
        defaultValue={known?.pattern ?? ''}
        autoComplete="off"
      />
    </>
  )
}
