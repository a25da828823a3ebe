import { ActionIcon, Button, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { type EndpointKey, rolePredicateTypes } from '../../../../contract/browser.ts'
import { useCollectionNames } from '../../../data/use-collection-names.ts'
import { EndpointPicker } from '../../new-run/endpoint-picker.tsx'
import {
  type ConditionGroup,
  type ConditionsDraft,
  emptyPredicate,
  type PredicateDraft,
  type PredicateType,
  predicateWords,
  valueKind,
} from './conditions-draft.ts'
import { groupWords } from './conditions-list.tsx'

interface ConditionsFieldsProps {
  readonly conditions: ConditionsDraft
  readonly onChange: (conditions: ConditionsDraft) => void
}

/** Which endpoints a role may call, as a form. */
export function ConditionsFields({ conditions, onChange }: ConditionsFieldsProps) {
  const { and, or } = conditions
  return (
    <>
      <Text size="sm">
        Tests of functions ask which endpoints belong to a role. It may call an endpoint when both parts hold;
        a part without conditions always does.
      </Text>
      <GroupFields group={and} onChange={(next) => onChange({ ...conditions, and: next })} />
      <GroupFields group={or} onChange={(next) => onChange({ ...conditions, or: next })} />
    </>
  )
}

interface GroupFieldsProps {
  readonly group: ConditionGroup
  readonly onChange: (group: ConditionGroup) => void
}

function GroupFields({ group, onChange }: GroupFieldsProps) {
  const { operator, predicates } = group
  const words = groupWords[operator]
  const title = words[0]?.toUpperCase() + words.slice(1)
  const change = (next: readonly PredicateDraft[]) => onChange({ operator, predicates: next })
  return (
    <Paper withBorder p="sm" component="section" aria-label={title}>
      <Stack gap="sm">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        {predicates.map((predicate, at) => (
          <PredicateFields
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name while they are typed
            key={at}
            predicate={predicate}
            number={at + 1}
            onChange={(next) => change(predicates.map((one, index) => (index === at ? next : one)))}
            onRemove={() => change(predicates.filter((_one, index) => index !== at))}
          />
        ))}
        <Button
          size="compact-sm"
          variant="default"
          w="fit-content"
          leftSection={<IconPlus size={14} />}
          onClick={() => change([...predicates, emptyPredicate])}
        >
          {predicates.length === 0 ? 'Add a condition' : 'Another condition'}
        </Button>
      </Stack>
    </Paper>
  )
}

interface PredicateFieldsProps {
  readonly predicate: PredicateDraft
  readonly number: number
  readonly onChange: (predicate: PredicateDraft) => void
  readonly onRemove: () => void
}

function PredicateFields({ predicate, number, onChange, onRemove }: PredicateFieldsProps) {
  const { type, text, endpoints } = predicate
  const kind = valueKind(type)
  return (
    <Stack gap={6}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Select
          label={`Condition ${number}`}
          flex={1}
          data={rolePredicateTypes.map((value) => ({ value, label: predicateWords[value] }))}
          value={type}
          allowDeselect={false}
          onChange={(next) => onChange({ ...predicate, type: (next ?? type) as PredicateType })}
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
      {kind === 'text' && (
        <TextInput
          aria-label={`Text of condition ${number}`}
          placeholder={type === 'REGEX' ? '^/api/users/[0-9]+$' : '/api/users'}
          required
          maxLength={1000}
          value={text}
          onChange={(event) => onChange({ ...predicate, text: event.currentTarget.value })}
        />
      )}
      {kind === 'endpoints' && (
        <EndpointsField chosen={endpoints} onChange={(next) => onChange({ ...predicate, endpoints: next })} />
      )}
    </Stack>
  )
}

interface EndpointsFieldProps {
  readonly chosen: readonly EndpointKey[]
  readonly onChange: (chosen: readonly EndpointKey[]) => void
}

/** Single endpoints, of one collection or several. */
function EndpointsField({ chosen, onChange }: EndpointsFieldProps) {
  const { choices, names } = useCollectionNames()
  const [collection, setCollection] = useState<string | null>(null)
  return (
    <Stack gap="xs">
      {chosen.length > 0 && (
        <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Chosen endpoints">
          {chosen.map((one) => (
            <Group
              key={`${one.apiCollectionId} ${one.method} ${one.url}`}
              component="li"
              gap="xs"
              wrap="nowrap"
              justify="space-between"
            >
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {one.method} {one.url} (
                {names.get(one.apiCollectionId) ?? `collection ${one.apiCollectionId}`})
              </Text>
              <Button
                size="compact-xs"
                variant="subtle"
                flex="none"
                aria-label={`Exclude ${one.method} ${one.url}`}
                onClick={() => onChange(chosen.filter((other) => other !== one))}
              >
                Exclude
              </Button>
            </Group>
          ))}
        </Stack>
      )}
      <Select
        label="Endpoints in"
        placeholder="A collection"
        searchable
        data={choices}
        value={collection}
        onChange={setCollection}
      />
      {collection !== null && (
        <EndpointPicker
          key={collection}
          collectionId={Number(collection)}
          chosen={chosen}
          onChange={onChange}
          ofNone="Choose at least one, of one collection or several."
        />
      )}
    </Stack>
  )
}
