import { Anchor, Button, Group, MultiSelect, Paper, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { EndpointKey } from '../../../contract/browser.ts'
import { EndpointLink } from '../../components/endpoint/endpoint-link.tsx'
import { shownEndpoints } from '../../components/endpoint/endpoint-states.ts'
import { endpointLabel } from '../../components/endpoint/path-parts.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { useRead } from '../../data/use-operation.ts'
import { countOf } from '../../data/words.ts'
import { EndpointPicker } from './endpoint-picker.tsx'
import type { RunPlan } from './run-plan.ts'

interface StepProps {
  readonly plan: RunPlan
  readonly onChange: (changes: Partial<RunPlan>) => void
}

/** First step: whole collections and groups, or single endpoints. */
export function TargetStep({ plan, onChange }: StepProps) {
  const { data, error, refetch } = useRead('getAllCollections', {})
  const usable = data?.apiCollections.filter((one) => !one.deactivated && !one.isOutOfTestingScope) ?? []
  const remove = (gone: EndpointKey) => onChange({ endpoints: plan.endpoints.filter((one) => one !== gone) })
  return (
    <Paper withBorder p="md" component="section" aria-label="What is tested">
      <Title order={2} mb="sm">
        1. What is tested
      </Title>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && usable.length === 0 && (
        <Text size="sm">
          There is no collection that can be tested.{' '}
          <Anchor component={Link} to="/start" underline="always">
            Add traffic
          </Anchor>{' '}
          first: tests start from requests that were seen.
        </Text>
      )}
      <Stack gap="sm">
        <MultiSelect
          label="Collections and groups"
          placeholder={plan.collectionIds.length === 0 ? 'Choose one or several' : undefined}
          data={usable.map((one) => ({
            value: String(one.id),
            label: `${one.displayName} (${one.type === 'API_GROUP' ? 'group, ' : ''}${countOf(shownEndpoints(one), 'endpoint')})`,
          }))}
          value={plan.collectionIds.map(String)}
          onChange={(ids) => onChange({ collectionIds: ids.map(Number), endpoints: [] })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear: collections' }}
          nothingFoundMessage="No collection of that name"
        />
        {plan.endpoints.length > 0 && (
          <Stack
            gap={4}
            component="ul"
            m={0}
            p={0}
            style={{ listStyle: 'none' }}
            aria-label="Chosen endpoints"
          >
            {plan.endpoints.map((one) => (
              <Group
                key={`${one.apiCollectionId} ${one.method} ${one.url}`}
                component="li"
                gap="sm"
                wrap="nowrap"
              >
                <EndpointLink endpointKey={one} />
                <Button
                  size="compact-xs"
                  variant="subtle"
                  aria-label={`Exclude ${endpointLabel(one)}`}
                  onClick={() => remove(one)}
                >
                  Exclude
                </Button>
              </Group>
            ))}
          </Stack>
        )}
        {plan.collectionIds.length === 1 && (
          <EndpointPicker
            collectionId={plan.collectionIds[0] ?? 0}
            chosen={plan.endpoints}
            onChange={(endpoints) => onChange({ endpoints })}
          />
        )}
      </Stack>
    </Paper>
  )
}
