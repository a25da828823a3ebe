import { Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  readonly icon: ReactNode
  readonly title: string
  /** Level of the heading: 1 where the page has no other. */
  readonly level?: 1 | 2
  /** What to do next, in a sentence. */
  readonly children: ReactNode
  /** Buttons or links that do it. */
  readonly actions?: ReactNode
}

/** A view without content: says why, and what to do next. */
export function EmptyState({ icon, title, level = 2, children, actions }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py={48} px="md" data-testid="empty-state">
      <ThemeIcon size={52} radius="xl" variant="light" aria-hidden>
        {icon}
      </ThemeIcon>
      <Title order={level} size="h2" ta="center">
        {title}
      </Title>
      <Text c="dimmed" maw={520} ta="center">
        {children}
      </Text>
      {actions && (
        <Group justify="center" mt="xs">
          {actions}
        </Group>
      )}
    </Stack>
  )
}
