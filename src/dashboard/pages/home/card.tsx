import { Group, Paper, Skeleton, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { hidesContent, isPassing } from '../../data/query-client.ts'
import { t } from '../../i18n/translate.ts'

interface CardProps<Answer> {
  readonly title: string
  /** Link to the whole list. */
  readonly more?: ReactNode
  readonly query: UseQueryResult<Answer>
  /** Pixels of the placeholder. */
  readonly height?: number
  readonly children: (answer: Answer) => ReactNode
}

/** One part of the overview with its states: it loads and fails without the others. */
export function Card<Answer>({ title, more, query, height = 160, children }: CardProps<Answer>) {
  const { data, error, refetch } = query
  return (
    <Paper withBorder p="md" h="100%" component="section" aria-label={title}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{title}</Title>
        {more}
      </Group>
      {hidesContent(error, data) ? (
        <CardFailure error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={height} />
      ) : (
        children(data)
      )}
    </Paper>
  )
}

/** The banner says that a server does not answer, once for all parts of the overview. */
function CardFailure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  if (!isPassing(error)) return <FailureNotice error={error} onRetry={onRetry} />
  return (
    <Text size="sm" c="dimmed">
      {t('overview.notRead')}
    </Text>
  )
}
