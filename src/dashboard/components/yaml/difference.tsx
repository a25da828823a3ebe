import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { TableSkeleton } from '../feedback/table-skeleton.tsx'

const YamlDiff = lazy(() => import('./yaml-diff.tsx'))

interface DifferenceProps {
  readonly title: string
  readonly before: string
  readonly after: string
  /** Accessible name of the shown difference. */
  readonly label: string
  readonly children?: ReactNode
}

/** What differs between two texts in YAML, shown on demand. */
export function Difference({ title, before, after, label, children }: DifferenceProps) {
  const [isShown, setShown] = useState(false)
  return (
    <Paper withBorder p="md" component="section" aria-label={label}>
      <Group justify="space-between">
        <Title order={2}>{title}</Title>
        <Button size="xs" variant="default" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide the difference' : 'Show the difference'}
        </Button>
      </Group>
      {children && (
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      )}
      {isShown && (
        <Suspense fallback={<TableSkeleton label="Loading the difference" />}>
          <YamlDiff before={before} after={after} label={label} />
        </Suspense>
      )}
    </Paper>
  )
}
