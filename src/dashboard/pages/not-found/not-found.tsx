import { Button, Paper } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconMapOff } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { shownLanguage } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'

/** No page has this address. */
export function NotFound() {
  useDocumentTitle(t('common.vigilTitle', { title: t('notFound.title') }))
  const { pathname } = useLocation()
  return (
    <Paper withBorder lang={shownLanguage}>
      <EmptyState
        icon={<IconMapOff size={28} />}
        title={t('notFound.heading')}
        level={1}
        actions={
          <Button component={Link} to="/apis">
            {t('notFound.collections')}
          </Button>
        }
      >
        {t('notFound.text', { path: pathname })}
      </EmptyState>
    </Paper>
  )
}
