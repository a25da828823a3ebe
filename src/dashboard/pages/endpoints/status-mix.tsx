import { Group, Text } from '@mantine/core'
import { callsOf, type TrafficBucket } from '../../components/chart/traffic-buckets.ts'
import { shareText } from '../../components/chart/traffic-chart.tsx'
import { Tag } from '../../components/tag.tsx'
import { unknownText } from '../../data/words.ts'

const classes = [
  { field: 'success', name: '2xx', tone: 'green' },
  { field: 'redirects', name: '3xx', tone: 'blue' },
  { field: 'clientErrors', name: '4xx', tone: 'orange' },
  { field: 'serverErrors', name: '5xx', tone: 'red' },
  { field: 'other', name: 'none', tone: 'gray' },
] as const

/** How calls were answered, in shares; null for no calls, undefined while it is not known. */
export function StatusMix({ traffic }: { traffic: TrafficBucket | null | undefined }) {
  if (!traffic)
    return (
      <Text span size="sm" c="dimmed">
        {traffic === null ? 'no calls' : unknownText}
      </Text>
    )
  const total = callsOf(traffic)
  return (
    <Group gap={4}>
      {classes
        .filter(({ field }) => traffic[field] > 0)
        .map(({ field, name, tone }) => (
          <Tag key={field} tone={tone}>
            {name} {shareText(traffic[field], total)}
          </Tag>
        ))}
    </Group>
  )
}
