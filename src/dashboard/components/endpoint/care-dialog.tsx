import { Autocomplete, Button, Checkbox, Group, Select, Stack, TagsInput } from '@mantine/core'
import { useState } from 'react'
import type { EndpointOverview } from '../../../contract/browser.ts'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { usePeople } from '../../data/use-people.ts'
import { countOf } from '../../data/words.ts'
import { Dialog } from '../dialog.tsx'
import { FailureNotice } from '../feedback/failure-notice.tsx'
import { careReads, endpointStateWords } from './endpoint-states.ts'

type Cared = Pick<EndpointOverview, 'id' | 'tags' | 'owner' | 'state'>

interface CareDraft {
  readonly tags: readonly string[]
  /** Null: each keeps its owner; empty: nobody. */
  readonly owner: string | null
  /** Null: each stays as it is. */
  readonly state: Cared['state'] | null
}

interface CareDialogProps {
  readonly endpoints: readonly Cared[]
  readonly onClose: () => void
  readonly onDone?: () => void
}

/** The value that all of them have; undefined where they differ. */
function common<Value>(values: readonly Value[]): Value | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined
}

const states = Object.entries(endpointStateWords).map(([value, label]) => ({ value, label }))

/** Changes tags, owner and state of endpoints; what they do not have in common stays as it is until it is set. */
export default function CareDialog({ endpoints, onClose, onDone }: CareDialogProps) {
  const shared = endpoints[0]?.tags.filter((tag) => endpoints.every(({ tags }) => tags.includes(tag))) ?? []
  const before = {
    owner: common(endpoints.map(({ owner }) => owner)),
    state: common(endpoints.map(({ state }) => state)),
  }
  const [draft, setDraft] = useState<CareDraft>({
    tags: shared,
    owner: before.owner ?? null,
    state: before.state ?? null,
  })
  const save = useWrite('updateEndpoints', careReads)
  const { tags, owner, state } = draft
  const submit = async () => {
    try {
      await save.mutateAsync({
        apiList: endpoints.map(({ id }) => id),
        addTags: tags.filter((tag) => !shared.includes(tag)),
        removeTags: shared.filter((tag) => !tags.includes(tag)),
        owner: owner === before.owner ? null : owner,
        state: state === before.state ? null : state,
      })
    } catch {
      // The dialog shows what was refused.
      return
    }
    onClose()
    onDone?.()
  }
  return (
    <Dialog onClose={onClose} title={`Tags and owner of ${countOf(endpoints.length, 'endpoint')}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Stack>
          <CareFields
            draft={draft}
            isMixed={{ owner: before.owner === undefined, state: before.state === undefined }}
            isSeveral={endpoints.length > 1}
            onChange={(changes) => setDraft({ ...draft, ...changes })}
          />
          {save.error && <FailureNotice error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

interface CareFieldsProps {
  readonly draft: CareDraft
  /** Which values the endpoints do not have in common. */
  readonly isMixed: { readonly owner: boolean; readonly state: boolean }
  readonly isSeveral: boolean
  readonly onChange: (changes: Partial<CareDraft>) => void
}

const mixedText = 'Several: stay as they are'

function CareFields({ draft, isMixed, isSeveral, onChange }: CareFieldsProps) {
  const known = useRead('fetchEndpointTags', {}).data
  const people = usePeople().map(({ value }) => value)
  const owners = [...new Set([...(known?.owners ?? []).map(({ name }) => name), ...people])]
  return (
    <>
      <TagsInput
        label="Tags"
        description={`${isSeveral ? 'Those that all of them have. ' : ''}Press Enter after each; at most 20. They can be filtered by.`}
        data={(known?.tags ?? []).map(({ name }) => name)}
        maxTags={20}
        maxLength={40}
        splitChars={[',']}
        value={[...draft.tags]}
        onChange={(tags) => onChange({ tags })}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear: tags' }}
        data-autofocus
      />
      <Autocomplete
        label="Owner"
        description="A person or a team."
        placeholder={draft.owner === null ? mixedText : 'Nobody'}
        data={owners}
        maxLength={100}
        value={draft.owner ?? ''}
        onChange={(owner) => onChange({ owner: isMixed.owner && owner === '' ? null : owner })}
      />
      {isMixed.owner && (
        <Checkbox
          label="Nobody owns them: remove the owner of each"
          checked={draft.owner === ''}
          onChange={({ currentTarget: { checked } }) => onChange({ owner: checked ? '' : null })}
        />
      )}
      <Select
        label="State"
        placeholder={mixedText}
        data={states}
        value={draft.state}
        allowDeselect={isMixed.state}
        onChange={(state) => onChange({ state: state as CareDraft['state'] })}
      />
    </>
  )
}
