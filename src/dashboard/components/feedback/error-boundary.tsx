import { Button, Center, Code, Paper, Stack, Text, Title } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'

interface ErrorBoundaryProps {
  readonly children: ReactNode
}

interface ErrorBoundaryState {
  readonly error: Error | null
}

/** Last resort for faults of the dashboard itself: says so and offers to load it anew. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: null }

  static getDerivedStateFromError(error: Error): ErrorBoundaryState {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <Center mih="60vh" p="md">
        <Paper withBorder p="xl" maw={560} role="alert">
          <Stack>
            <Title order={1}>{t('failure.pageTitle')}</Title>
            <Text>{t('failure.pageText')}</Text>
            <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {error.message}
            </Code>
            <Button onClick={() => window.location.reload()}>{t('failure.reload')}</Button>
          </Stack>
        </Paper>
      </Center>
    )
  }
}
