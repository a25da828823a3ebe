import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconEyeSearch } from '@tabler/icons-react'
import {
  parameterPositionLabels,
  type ResponseOf,
  type TypeImpactPlace,
} from '../../../../contract/browser.ts'
import { EndpointLink } from '../../../components/endpoint/endpoint-link.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { CardFrame } from '../../../components/table/card-frame.tsx'
import { Tag } from '../../../components/tag.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { countOf, countText } from '../../../data/words.ts'
import { type DataTypeDraft, requestOf } from './data-type-draft.ts'

interface TypeImpactProps {
  readonly draft: DataTypeDraft
  /** False while the form lacks something. */
  readonly isReady: boolean
}

/** What a data type would change in the samples that are kept, asked for before it is saved. */
export function TypeImpact({ draft, isReady }: TypeImpactProps) {
  const preview = useWrite('previewDataType', [])
  // An answer about an earlier text of the form would mislead.
  const isCurrent = preview.variables !== undefined && same(preview.variables, requestOf(draft))
  return (
    <Stack gap="xs" component="section" aria-label="Impact">
      <Group gap="sm">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconEyeSearch size={14} />}
          disabled={!isReady}
          loading={preview.isPending}
          onClick={() => preview.mutate(requestOf(draft))}
        >
          Show the impact
        </Button>
        <Text size="xs" c="dimmed">
          Judges the samples that are kept, and saves nothing.
        </Text>
      </Group>
      {preview.error && <FailureNotice error={preview.error} />}
      {preview.data && isCurrent && <Impact impact={preview.data} />}
    </Stack>
  )
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function Impact({ impact }: { impact: ResponseOf<'previewDataType'> }) {
  const { samples, isCut, parameters, endpoints, changed, changedCount } = impact
  return (
    <>
      <Text size="sm" role="status">
        {parameters === 0
          ? 'It would be found nowhere'
          : `It would be found at ${countOf(parameters, 'parameter')} of ${countOf(endpoints, 'endpoint')}`}{' '}
        in {isCut ? `the newest ${countText(samples)} samples` : countOf(samples, 'sample')}.{' '}
        {changedCount === 0
          ? 'Nothing changes there.'
          : `${countOf(changedCount, 'parameter')} would change.`}
      </Text>
      {changed.length > 0 && (
        <CardFrame inset label="What would change">
          <Table aria-label="What would change" miw={560} verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Endpoint</Table.Th>
                <Table.Th>Parameter</Table.Th>
                <Table.Th>Change</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changed.map((place) => (
                <Place key={keyOf(place)} place={place} />
              ))}
            </Table.Tbody>
          </Table>
        </CardFrame>
      )}
      {changedCount > changed.length && (
        <Text size="sm" c="dimmed">
          The first {countText(changed.length)} of them are listed.
        </Text>
      )}
    </>
  )
}

function keyOf({ apiInfoKey: key, position, responseCode, displayName }: TypeImpactPlace): string {
  return [key.apiCollectionId, key.method, key.url, position, responseCode, displayName].join(' ')
}

/** What becomes of a place, in words. */
function changeOf({ before, after }: TypeImpactPlace): {
  tone: 'red' | 'orange' | 'green' | 'gray'
  words: string
} {
  if (after === 'SENSITIVE')
    return { tone: 'red', words: before === 'NONE' ? 'found, sensitive' : 'becomes sensitive' }
  if (before === 'SENSITIVE')
    return { tone: 'green', words: after === 'NONE' ? 'no longer found' : 'no longer sensitive' }
  return after === 'FOUND' ? { tone: 'orange', words: 'found' } : { tone: 'gray', words: 'no longer found' }
}

function Place({ place }: { place: TypeImpactPlace }) {
  const { tone, words } = changeOf(place)
  return (
    <Table.Tr>
      <Table.Td data-label="Endpoint">
        <EndpointLink endpointKey={place.apiInfoKey} />
      </Table.Td>
      <Table.Td data-label="Parameter">
        <div>
          <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {place.displayName}
          </Text>
          <Text size="xs" c="dimmed">
            {parameterPositionLabels[place.position]}
            {place.responseCode > 0 && ` ${place.responseCode}`}
          </Text>
        </div>
      </Table.Td>
      <Table.Td data-label="Change">
        <Tag tone={tone}>{words}</Tag>
      </Table.Td>
    </Table.Tr>
  )
}
