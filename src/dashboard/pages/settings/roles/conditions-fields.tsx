import { Button, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type EndpointKey, rolePredicateTypes } from '../../../../contract/browser.ts'
import { ConditionRows } from '../../../components/condition-rows.tsx'
import { endpointLabel } from '../../../components/endpoint/path-parts.ts'
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
  return (
    <Paper withBorder p="sm" component="section" aria-label={title}>
      <Stack gap="sm">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <ConditionRows
          conditions={predicates}
          empty={emptyPredicate}
          onChange={(next) => onChange({ operator, predicates: next })}
          row={(predicate, number, change) => ({
            type: predicate.type,
            types: rolePredicateTypes.map((value) => ({ value, label: predicateWords[value] })),
            onType: (type) => change({ type: type as PredicateType }),
            fields: <PredicateFields predicate={predicate} number={number} onChange={change} />,
          })}
        />
      </Stack>
    </Paper>
  )
}

interface PredicateFieldsProps {
  readonly predicate: PredicateDraft
  readonly number: number
  readonly onChange: (next: Partial<PredicateDraft>) => void
}

/** What a condition compares with. */
function PredicateFields({ predicate: { type, text, endpoints }, number, onChange }: PredicateFieldsProps) {
  const kind = valueKind(type)
  if (kind === 'endpoints')
    return <EndpointsField chosen={endpoints} onChange={(next) => onChange({ endpoints: next })} />
  if (kind === 'none') return null
  return (
    <TextInput
      aria-label={`Text of condition ${number}`}
      placeholder={type === 'REGEX' ? '^/api/users/[0-9]+$' : '/api/users'}
      required
      maxLength={1000}
      value={text}
      onChange={(event) => onChange({ text: event.currentTarget.value })}
    />
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
                {endpointLabel(one)} ({names.get(one.apiCollectionId) ?? `collection ${one.apiCollectionId}`})
              </Text>
              <Button
                size="compact-xs"
                variant="subtle"
                flex="none"
                aria-label={`Exclude ${endpointLabel(one)}`}
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
