import {
  Alert,
  Button,
  Checkbox,
  Group,
  Radio,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { type DataType, sensitivePositions, severities } from '../../../../contract/browser.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { severityWord } from '../../../components/testing/severity-tag.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { ConditionFields } from './condition-fields.tsx'
import { type DataTypeDraft, draftOf, emptyDataType, missingIn, requestOf } from './data-type-draft.ts'
import { positionWords } from './position-words.ts'
import { TypeImpact } from './type-impact.tsx'

interface DataTypeDialogProps {
  /** The data type to change; null for a new one. */
  readonly type: DataType | null
  readonly onClose: () => void
}

/** Creates or changes a data type. Of a built-in one, what it detects is fixed. */
export function DataTypeDialog({ type, onClose }: DataTypeDialogProps) {
  const [draft, setDraft] = useState(() => (type === null ? emptyDataType : draftOf(type)))
  const save = useWrite('saveCustomDataType')
  const isBuiltIn = type?.builtIn ?? false
  const missing = missingIn(draft, isBuiltIn)
  const change = (changes: Partial<DataTypeDraft>) => setDraft({ ...draft, ...changes })
  return (
    <Dialog onClose={onClose} title={type === null ? 'New data type' : `Data type ${type.name}`} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(requestOf(draft), {
            onSuccess({ dataType }) {
              notifications.show({ message: `Data type ${dataType.name} is saved.` })
              onClose()
            },
          })
        }}
      >
        <Stack>
          {!isBuiltIn && <OwnFields draft={draft} isNew={type === null} onChange={change} />}
          <SensitiveFields draft={draft} onChange={change} />
          <Switch
            label="Detect this type"
            checked={draft.active}
            onChange={(event) => change({ active: event.currentTarget.checked })}
          />
          <Switch
            label="Mask values before storage"
            description="In every collection, also in samples that are stored already."
            checked={draft.redacted}
            onChange={(event) => change({ redacted: event.currentTarget.checked })}
          />
          {draft.redacted && !type?.redacted && (
            <Alert color="orange" title="Masked values cannot be restored">
              Stored samples lose these values permanently. Tests that replay such a sample send the masked
              value.
            </Alert>
          )}
          <TypeImpact draft={draft} isReady={missing === null} />
          {save.error && <FailureNotice error={save.error} />}
          <Group justify="flex-end">
            {missing !== null && (
              <Text size="sm" c="dimmed" flex={1}>
                {missing}
              </Text>
            )}
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending} disabled={missing !== null}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

interface FieldsProps {
  readonly draft: DataTypeDraft
  readonly onChange: (changes: Partial<DataTypeDraft>) => void
}

/** What a data type made by users detects, and how it is called. */
function OwnFields({ draft, isNew, onChange }: FieldsProps & { readonly isNew: boolean }) {
  return (
    <>
      <TextInput
        label="Name"
        description="Capital letters, digits and underscores."
        required
        readOnly={!isNew}
        maxLength={60}
        value={draft.name}
        onChange={(event) => onChange({ name: event.currentTarget.value.toUpperCase() })}
      />
      <TextInput
        label="Description"
        maxLength={2000}
        value={draft.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <ConditionFields subject="name" conditions={draft.key} onChange={(key) => onChange({ key })} />
      {draft.key.predicates.length > 0 && draft.value.predicates.length > 0 && (
        <Radio.Group
          label="A parameter is of this type when"
          value={draft.operator}
          onChange={(operator) => onChange({ operator: operator as 'AND' | 'OR' })}
        >
          <Group mt={4}>
            <Radio value="AND" label="its name and its value match" />
            <Radio value="OR" label="its name or its value matches" />
          </Group>
        </Radio.Group>
      )}
      <ConditionFields subject="value" conditions={draft.value} onChange={(value) => onChange({ value })} />
      <Group grow align="flex-start">
        <Select
          label="Severity"
          data={severities.map((value) => ({ value, label: severityWord(value) }))}
          value={draft.severity}
          allowDeselect={false}
          onChange={(next) => onChange({ severity: (next ?? draft.severity) as DataType['severity'] })}
        />
        <TagsInput
          label="Categories"
          value={draft.categories}
          maxTags={20}
          onChange={(categories) => onChange({ categories })}
        />
      </Group>
    </>
  )
}

function SensitiveFields({ draft, onChange }: FieldsProps) {
  return (
    <Stack gap="xs">
      <Radio.Group
        label="It is sensitive"
        value={draft.sensitiveAlways ? 'always' : 'some'}
        onChange={(next) => onChange({ sensitiveAlways: next === 'always' })}
      >
        <Group mt={4}>
          <Radio value="always" label="everywhere" />
          <Radio value="some" label="at some positions" />
        </Group>
      </Radio.Group>
      {!draft.sensitiveAlways && (
        <Checkbox.Group
          label="Positions"
          value={[...draft.sensitivePosition]}
          onChange={(next) => onChange({ sensitivePosition: next as DataType['sensitivePosition'] })}
        >
          <Group mt={4}>
            {sensitivePositions.map((one) => (
              <Checkbox key={one} value={one} label={positionWords[one]} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </Stack>
  )
}
