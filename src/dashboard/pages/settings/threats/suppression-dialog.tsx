import { Autocomplete, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../../components/dialog.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { shownZone } from '../../../data/time-zone.ts'
import { useCollectionNames } from '../../../data/use-collection-names.ts'
import { useRead, useWrite } from '../../../data/use-operation.ts'
import { emptyDraft, endOf, hasScope, lengths, type SuppressionDraft } from './suppression-draft.ts'

interface SuppressionDialogProps {
  /** The person sees some collections only, and suppresses events of these. */
  readonly needsCollection: boolean
  readonly onClose: () => void
}

/** Makes a rule by which events are not stored. */
export function SuppressionDialog({ needsCollection, onClose }: SuppressionDialogProps) {
  const add = useWrite('addThreatSuppression', ['fetchThreatSuppressions'])
  const [draft, setDraft] = useState<SuppressionDraft>(emptyDraft)
  const change = (changes: Partial<SuppressionDraft>) => setDraft((now) => ({ ...now, ...changes }))
  const now = Math.floor(Date.now() / 1000)
  const end = endOf(draft, now)
  const isReady = hasScope(draft) && end !== null && (!needsCollection || draft.collection !== null)
  return (
    <Dialog onClose={onClose} title="New suppression">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isReady) return
          const given = (text: string) => text.trim() || null
          add.mutate(
            {
              filterId: given(draft.filter),
              url: given(draft.url),
              host: given(draft.host),
              actor: given(draft.actor),
              apiCollectionId: draft.collection === null ? null : Number(draft.collection),
              reason: draft.reason.trim(),
              expiresAt: end,
            },
            { onSuccess: onClose },
          )
        }}
      >
        <Stack>
          <Text size="sm">
            Give at least one of these. An event is dropped when it fits all that are given; the narrower, the
            less is overlooked.
          </Text>
          <ScopeFields draft={draft} onChange={change} needsCollection={needsCollection} />
          <EndFields draft={draft} onChange={change} now={now} />
          <TextInput
            label="Why"
            description="For those who read the list later."
            maxLength={1000}
            value={draft.reason}
            onChange={(event) => change({ reason: event.currentTarget.value })}
          />
          {add.error && <FailureNotice error={add.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={add.isPending} disabled={!isReady}>
              Drop these events
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

interface FieldsProps {
  readonly draft: SuppressionDraft
  readonly onChange: (changes: Partial<SuppressionDraft>) => void
}

function ScopeFields({ draft, onChange, needsCollection }: FieldsProps & { needsCollection: boolean }) {
  const filters = useRead('fetchFilterYamlTemplate', { withContent: false })
  const { choices } = useCollectionNames()
  return (
    <>
      <Autocomplete
        label="Filter"
        description="ID of the filter, or of another detector."
        data={filters.data?.templates?.map(({ id }) => id) ?? []}
        limit={50}
        openOnFocus={false}
        maxLength={200}
        value={draft.filter}
        onChange={(filter) => onChange({ filter })}
        data-autofocus
      />
      <TextInput
        label="Actor"
        description="As events show it: an address, or what a header said."
        maxLength={300}
        value={draft.actor}
        onChange={(event) => onChange({ actor: event.currentTarget.value })}
      />
      <TextInput
        label="Host"
        maxLength={300}
        value={draft.host}
        onChange={(event) => onChange({ host: event.currentTarget.value })}
      />
      <Select
        label="Collection"
        searchable
        clearable
        required={needsCollection}
        clearButtonProps={{ 'aria-label': 'Clear: collection' }}
        data={choices}
        value={draft.collection}
        onChange={(collection) => onChange({ collection })}
      />
      <TextInput
        label="URL"
        description="As events show it, compared as a whole."
        maxLength={2000}
        value={draft.url}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
    </>
  )
}

function EndFields({ draft, onChange, now }: FieldsProps & { now: number }) {
  const isPast = draft.length === 'date' && draft.date !== '' && endOf(draft, now) === null
  return (
    <>
      <Select
        label="How long"
        data={lengths}
        value={draft.length}
        allowDeselect={false}
        onChange={(length) => onChange({ length: length ?? '0' })}
      />
      {draft.length === 'date' && (
        <TextInput
          label="Ends"
          description={`Time zone: ${shownZone}.`}
          type="datetime-local"
          required
          value={draft.date}
          error={isPast ? 'Choose a time to come.' : null}
          onChange={(event) => onChange({ date: event.currentTarget.value })}
        />
      )}
    </>
  )
}
