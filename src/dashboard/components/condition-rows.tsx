import { ActionIcon, Button, Group, Select, Stack } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface ConditionRowsProps<Condition> {
  readonly conditions: readonly Condition[]
  /** What a new one is. */
  readonly empty: Condition
  readonly onChange: (conditions: readonly Condition[]) => void
  /** The fields of one, of a number from 1, and how it is changed. */
  readonly row: (
    condition: Condition,
    number: number,
    change: (next: Partial<Condition>) => void,
  ) => ConditionRow
}

interface ConditionRow {
  readonly type: string
  readonly types: readonly { readonly value: string; readonly label: string }[]
  readonly onType: (type: string) => void
  /** Beside the type. */
  readonly beside?: ReactNode
  /** Below the type. */
  readonly fields?: ReactNode
}

/** Conditions one below the other, each with a type; they can be added and removed. */
export function ConditionRows<Condition>({
  conditions,
  empty,
  onChange,
  row,
}: ConditionRowsProps<Condition>) {
  return (
    <Stack gap="sm">
      {conditions.map((condition, at) => {
        const number = at + 1
        const change = (next: Partial<Condition>) =>
          onChange(conditions.map((one, index) => (index === at ? { ...one, ...next } : one)))
        const { type, types, onType, beside, fields } = row(condition, number, change)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name while they are typed
          <Stack key={at} gap={6} component="section" aria-label={`Condition ${number}`}>
            <Group gap="xs" align="flex-end">
              <Select
                label={`Condition ${number}`}
                flex="1 1 220px"
                data={[...types]}
                value={type}
                allowDeselect={false}
                onChange={(next) => onType(next ?? type)}
              />
              {beside}
              <ActionIcon
                variant="subtle"
                color="gray"
                mb={4}
                aria-label={`Remove condition ${number}`}
                onClick={() => onChange(conditions.filter((_one, index) => index !== at))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
            {fields}
          </Stack>
        )
      })}
      <Button
        size="compact-sm"
        variant="default"
        w="fit-content"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...conditions, empty])}
      >
        {conditions.length === 0 ? 'Add a condition' : 'Another condition'}
      </Button>
    </Stack>
  )
}
