import { Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'

interface PageHeaderProps {
  readonly title: string
  /** Shown in place of `title` as the heading, when it is more than text. */
  readonly heading?: ReactNode
  readonly description?: ReactNode
  readonly actions?: ReactNode
  /** Above the heading: where this page hangs. */
  readonly trail?: ReactNode
}

/** Head of every page: one h1, what the page answers, and its actions. Also sets the window's title. */
export function PageHeader({ title, heading, description, actions, trail }: PageHeaderProps) {
  useDocumentTitle(t('common.vigilTitle', { title }))
  return (
    <Group justify="space-between" align="flex-end" mb="md" gap="sm">
      <Stack gap={4} miw={0} flex="1 1 420px">
        {trail}
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {heading ?? title}
        </Title>
        {description && (
          <Text c="dimmed" size="sm" component="div">
            {description}
          </Text>
        )}
      </Stack>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  )
}
