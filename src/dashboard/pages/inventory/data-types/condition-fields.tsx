import {
  ActionIcon,
  Button,
  Group,
  Paper,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { predicateTypes } from '../../../../contract/browser.ts'
import type { ConditionsDraft, PredicateDraft, PredicateType } from './data-type-draft.ts'

const words: Record<PredicateType, string> = {
  REGEX: 'matches the pattern (RE2, whole text)',
  STARTS_WITH: 'starts with',
  ENDS_WITH: 'ends with',
  EQUALS_TO: 'is',
  CONTAINS: 'contains',
  IS_NUMBER: 'is a number',
}

interface ConditionFieldsProps {
  /** What is compared: "name" or "value". */
  readonly subject: 'name' | 'value'
  readonly conditions: ConditionsDraft
  readonly onChange: (conditions: ConditionsDraft) => void
}

/** Conditions on the name or on the value of a parameter, as a form. */
export function ConditionFields({ subject, conditions, onChange }: ConditionFieldsProps) {
  const { operator, predicates } = conditions
  const change = (next: readonly PredicateDraft[]) => onChange({ operator, predicates: next })
  return (
    <Paper withBorder p="sm" component="section" aria-label={`Conditions on the ${subject}`}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="sm" fw={600}>
            The {subject} of the parameter
          </Text>
          {predicates.length > 1 && (
            <SegmentedControl
              size="xs"
              aria-label={`How conditions on the ${subject} combine`}
              value={operator}
              onChange={(next) => onChange({ operator: next as 'AND' | 'OR', predicates })}
              data={[
                { value: 'OR', label: 'any holds' },
                { value: 'AND', label: 'all hold' },
              ]}
            />
          )}
        </Group>
        {predicates.map((predicate, at) => (
          <PredicateRow
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name while they are typed
            key={at}
            name={`${subject} condition ${at + 1}`}
            predicate={predicate}
            onChange={(next) => change(predicates.map((one, index) => (index === at ? next : one)))}
            onRemove={() => change(predicates.filter((_one, index) => index !== at))}
          />
        ))}
        <Button
          size="compact-sm"
          variant="default"
          w="fit-content"
          leftSection={<IconPlus size={14} />}
          onClick={() => change([...predicates, { type: 'CONTAINS', value: '' }])}
        >
          Condition on the {subject}
        </Button>
      </Stack>
    </Paper>
  )
}

interface PredicateRowProps {
  readonly name: string
  readonly predicate: PredicateDraft
  readonly onChange: (predicate: PredicateDraft) => void
  readonly onRemove: () => void
}

function PredicateRow({ name, predicate, onChange, onRemove }: PredicateRowProps) {
  const { type, value } = predicate
  return (
    <Group gap="xs" wrap="nowrap">
      <Select
        aria-label={`Operator of ${name}`}
        w={{ base: 130, sm: 230 }}
        data={predicateTypes.map((one) => ({ value: one, label: words[one] }))}
        value={type}
        allowDeselect={false}
        onChange={(next) => onChange({ ...predicate, type: (next ?? type) as PredicateType })}
      />
      {type !== 'IS_NUMBER' && (
        <TextInput
          aria-label={`Text of ${name}`}
          flex={1}
          required
          maxLength={1000}
          spellCheck={false}
          value={value}
          onChange={(event) => onChange({ ...predicate, value: event.currentTarget.value })}
        />
      )}
      <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${name}`} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  )
}
