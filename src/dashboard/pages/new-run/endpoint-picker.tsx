import { Button, Checkbox, ScrollArea, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { EndpointKey } from '../../../contract/browser.ts'
import { listedStates } from '../../components/endpoint/endpoint-states.ts'
import { endpointLabel } from '../../components/endpoint/path-parts.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useRead } from '../../data/use-operation.ts'
import { countText } from '../../data/words.ts'

interface EndpointPickerProps {
  readonly collectionId: number
  readonly chosen: readonly EndpointKey[]
  readonly onChange: (chosen: readonly EndpointKey[]) => void
  /** What it means to choose none. */
  readonly ofNone?: string
}

const shown = 100

function isSame(a: EndpointKey, b: EndpointKey): boolean {
  return a.method === b.method && a.url === b.url && a.apiCollectionId === b.apiCollectionId
}

/** Chooses single endpoints of a collection. */
export function EndpointPicker(props: EndpointPickerProps) {
  const {
    collectionId,
    chosen,
    onChange,
    ofNone = 'With none chosen, the whole collection is tested.',
  } = props
  const [open, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const { data, error, refetch } = useRead(
    'searchEndpoints',
    { apiCollectionId: collectionId, search: search || null, state: listedStates, limit: shown, skip: 0 },
    { enabled: open, keepLast: true },
  )
  if (!open) {
    return (
      <Button variant="default" size="xs" w="fit-content" onClick={() => setOpen(true)}>
        Choose single endpoints
      </Button>
    )
  }
  const toggle = (key: EndpointKey, isOn: boolean) =>
    onChange(isOn ? [...chosen, key] : chosen.filter((one) => !isSame(one, key)))
  return (
    <Stack gap="xs">
      <SearchField label="Search endpoints" value={search} onSearch={setSearch} />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <ScrollArea.Autosize mah={260} viewportProps={{ tabIndex: 0, 'aria-label': 'Endpoints' }}>
        <Stack gap={6} p={4}>
          {data?.endpoints.map(({ id }) => (
            <Checkbox
              key={`${id.method} ${id.url}`}
              size="xs"
              label={endpointLabel(id)}
              checked={chosen.some((one) => isSame(one, id))}
              onChange={(event) => toggle(id, event.currentTarget.checked)}
              styles={{ label: { overflowWrap: 'anywhere' } }}
            />
          ))}
        </Stack>
      </ScrollArea.Autosize>
      {data && data.total > shown && (
        <Text size="xs" c="dimmed">
          The first {shown} of {countText(data.total)}; search for the others.
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {ofNone}
      </Text>
    </Stack>
  )
}
