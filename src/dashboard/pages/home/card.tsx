import { Group, Paper, Skeleton, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { hidesContent } from '../../data/query-client.ts'

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
        <FailureNotice error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={height} />
      ) : (
        children(data)
      )}
    </Paper>
  )
}
