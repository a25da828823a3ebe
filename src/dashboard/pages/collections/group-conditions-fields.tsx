import { MultiSelect, Select, TagsInput, Text, TextInput } from '@mantine/core'
import { accessTypes, apiTypes, authTypes, httpMethods } from '../../../contract/browser.ts'
import { ConditionRows } from '../../components/condition-rows.tsx'
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

const operators = [
  { value: 'AND', label: 'must hold' },
  { value: 'OR', label: 'or, at least one' },
]

/** Conditions of a group as a form: those with "must" all hold, of those with "or" at least one. */
export function GroupConditionsFields({ conditions, onChange }: GroupConditionsFieldsProps) {
  return (
    <ConditionRows
      conditions={conditions}
      empty={emptyCondition}
      onChange={onChange}
      row={(condition, number, change) => {
        const { type, operator } = condition
        return {
          type,
          types: (type === 'CUSTOM' ? [...offeredTypes, type] : offeredTypes).map((value) => ({
            value,
            label: conditionWords[value],
          })),
          onType: (next) => change({ type: next as GroupConditionType, words: [], pattern: '' }),
          beside: (
            <Select
              aria-label={`How condition ${number} combines`}
              w={150}
              data={operators}
              value={operator}
              allowDeselect={false}
              onChange={(next) => change({ operator: next === 'OR' ? 'OR' : 'AND' })}
            />
          ),
          fields: <ValueFields condition={condition} number={number} onChange={change} />,
        }
      }}
    />
  )
}

interface ValueFieldsProps {
  readonly condition: GroupConditionDraft
  readonly number: number
  readonly onChange: (next: Partial<GroupConditionDraft>) => void
}

/** What a condition compares with. */
function ValueFields({ condition, number, onChange }: ValueFieldsProps) {
  const { type, pattern } = condition
  const field = fieldOf(type)
  if (field === 'words') return <WordsField condition={condition} number={number} onChange={onChange} />
  if (field === 'pattern')
    return (
      <TextInput
        aria-label={`Pattern of condition ${number}`}
        placeholder={type === 'URL_REGEX' ? '^/api/admin/' : 'shop'}
        required
        maxLength={1000}
        value={pattern}
        onChange={(event) => onChange({ pattern: event.currentTarget.value })}
      />
    )
  if (type !== 'CUSTOM') return null
  return (
    <Text size="sm" c="dimmed">
      {conditionText(condition, new Map())}
    </Text>
  )
}

function WordsField({ condition, number, onChange }: ValueFieldsProps) {
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
