import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import { useIsFetching } from '@tanstack/react-query'
import { CallError } from '../../../contract/browser.ts'
import { describeError } from '../../data/describe-error.ts'
import { useRemedies } from '../../data/use-remedies.ts'
import { shownLanguage } from '../../i18n/language.ts'
import { usePageText } from '../../i18n/use-page-text.ts'
import { CopyButton } from '../copy-button.tsx'

interface FailureNoticeProps {
  readonly error: unknown
  /** Tries again what failed. */
  readonly onRetry?: () => void
}

/** What went wrong, what to do next, and a copy of the facts for the person who is asked for help. */
export function FailureNotice({ error, onRetry }: FailureNoticeProps) {
  const t = usePageText()
  const findRemedy = useRemedies()
  const isAsking = useIsFetching({ type: 'active', predicate: ({ state }) => state.data === undefined }) > 0
  const { title, remedy, facts } = describeError(error, findRemedy ?? undefined)
  // Refusals of the server are in English; the rest is in the shown language, whatever that of the page.
  const language = error instanceof CallError && error.status !== 500 ? 'en' : shownLanguage
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle size={18} />}
      title={<span lang={language}>{title}</span>}
      role="alert"
      lang={shownLanguage}
    >
      <Stack gap="xs">
        {/* Empty until the remedies are loaded, so that no text is read and then replaced. */}
        <Text size="sm" mih="1.5em" lang={language}>
          {findRemedy !== null && remedy}
        </Text>
        <Group gap="xs">
          {onRetry && (
            <Button
              size="compact-xs"
              variant="default"
              leftSection={isAsking ? <Loader size={14} color="currentColor" /> : <IconRefresh size={14} />}
              onClick={onRetry}
            >
              {t('common.tryAgain')}
            </Button>
          )}
          <CopyButton text={facts} what={t('failure.facts')} label={t('failure.copyForSupport')} />
        </Group>
      </Stack>
    </Alert>
  )
}
