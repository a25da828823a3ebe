import {
  ActionIcon,
  Button,
  Group,
  MultiSelect,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { accessTypes, apiTypes, authTypes, httpMethods } from '../../../contract/browser.ts'
import { useCollectionNames } from '../../data/use-collection-names.ts'
import { useRead } from '../../data/use-operation.ts'
import {
  conditionText,
  conditionWords,
  emptyCondition,
  fieldOf,
  type GroupConditionDraft,
  type GroupConditionType,
  offeredTypes,
} from './group-conditions-draft.ts'

interface GroupConditionsFieldsProps {
  readonly conditions: readonly GroupConditionDraft[]
  readonly onChange: (conditions: readonly GroupConditionDraft[]) => void
}

/** Conditions of a group as a form: those with "must" all hold, of those with "or" at least one. */
export function GroupConditionsFields({ conditions, onChange }: GroupConditionsFieldsProps) {
  const change = (at: number, next: Partial<GroupConditionDraft>) =>
    onChange(conditions.map((one, index) => (index === at ? { ...one, ...next } : one)))
  return (
    <Stack gap="sm">
      {conditions.map((condition, at) => (
        <ConditionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name while they are typed
          key={at}
          condition={condition}
          number={at + 1}
          onChange={(next) => change(at, next)}
          onRemove={() => onChange(conditions.filter((_one, index) => index !== at))}
        />
      ))}
      <Button
        size="compact-sm"
        variant="default"
        w="fit-content"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...conditions, emptyCondition])}
      >
        {conditions.length === 0 ? 'Add a condition' : 'Another condition'}
      </Button>
    </Stack>
  )
}

interface ConditionFieldsProps {
  readonly condition: GroupConditionDraft
  readonly number: number
  readonly onChange: (next: Partial<GroupConditionDraft>) => void
  readonly onRemove: () => void
}

const operators = [
  { value: 'AND', label: 'must hold' },
  { value: 'OR', label: 'or, at least one' },
]

function ConditionFields({ condition, number, onChange, onRemove }: ConditionFieldsProps) {
  const { type, operator, pattern } = condition
  return (
    <Stack gap={6} component="section" aria-label={`Condition ${number}`}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Select
          label={`Condition ${number}`}
          flex={1}
          data={(type === 'CUSTOM' ? [...offeredTypes, type] : offeredTypes).map((value) => ({
            value,
            label: conditionWords[value],
          }))}
          value={type}
          allowDeselect={false}
          onChange={(next) =>
            onChange({ type: (next ?? type) as GroupConditionType, words: [], pattern: '' })
          }
        />
        <Select
          aria-label={`How condition ${number} combines`}
          w={150}
          data={operators}
          value={operator}
          allowDeselect={false}
          onChange={(next) => onChange({ operator: next === 'OR' ? 'OR' : 'AND' })}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          mb={4}
          aria-label={`Remove condition ${number}`}
          onClick={onRemove}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
      {fieldOf(type) === 'pattern' && (
        <TextInput
          aria-label={`Pattern of condition ${number}`}
          placeholder={type === 'URL_REGEX' ? '^/api/admin/' : 'shop'}
          required
          maxLength={1000}
          value={pattern}
          onChange={(event) => onChange({ pattern: event.currentTarget.value })}
        />
      )}
      {fieldOf(type) === 'words' && <WordsField condition={condition} number={number} onChange={onChange} />}
      {type === 'CUSTOM' && (
        <Text size="sm" c="dimmed">
          {conditionText(condition, new Map())}
        </Text>
      )}
    </Stack>
  )
}

function WordsField({ condition, number, onChange }: Omit<ConditionFieldsProps, 'onRemove'>) {
  const { type, words } = condition
  const { choices } = useCollectionNames()
  const types = useRead('fetchDataTypes', {}, { enabled: type === 'SENSITIVE_TYPE' }).data?.dataTypes ?? []
  const shared = {
    'aria-label': `Values of condition ${number}`,
    value: [...words],
    onChange: (next: string[]) => onChange({ words: next }),
  }
  if (type === 'PARAM')
    return <TagsInput {...shared} placeholder="userId: press Enter after each name" maxLength={200} />
  const offered: Partial<Record<GroupConditionType, readonly (string | { value: string; label: string })[]>> =
    {
      COLLECTION: choices,
      METHOD: httpMethods,
      SENSITIVE_TYPE: types.map(({ name }) => name),
      AUTH_TYPE: authTypes,
      ACCESS_TYPE: accessTypes,
      API_TYPE: apiTypes,
    }
  const data = [...(offered[type] ?? [])]
  const known = new Set(data.map((one) => (typeof one === 'string' ? one : one.value)))
  return (
    <MultiSelect
      {...shared}
      data={[...data, ...words.filter((word) => !known.has(word))]}
      placeholder={words.length === 0 ? 'Choose at least one' : undefined}
      searchable
    />
  )
}
