import { Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core'

/** Placeholder in the shape of a table, with a text for those who cannot see it. */
export function TableSkeleton({ rows = 8, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <Stack gap="sm" p="md" role="status">
      <VisuallyHidden>{label}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
        <Group key={row} wrap="nowrap" gap="md">
          <Skeleton height={14} width="35%" />
          <Skeleton height={14} width="15%" />
          <Skeleton height={14} width="20%" />
          <Skeleton height={14} width="10%" />
        </Group>
      ))}
    </Stack>
  )
}
