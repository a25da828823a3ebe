import { Button, Paper } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from 'react-router'
import { CallError } from '../../../contract/browser.ts'
import { t } from '../../i18n/translate.ts'
import { EmptyState } from './empty-state.tsx'
import { FailureNotice } from './failure-notice.tsx'

/** What an address may name, the list of all such things, and the code of a refusal that says there is none. */
const kinds = {
  collection: { word: 'collection', list: '/apis', lists: 'collections', code: 'NO_SUCH_COLLECTION' },
  endpoint: { word: 'endpoint', list: '/apis/all', lists: 'endpoints', code: 'NO_SUCH_ENDPOINT' },
  import: { word: 'import report', list: '/start', lists: 'earlier imports', code: 'INVALID_UPLOAD_ID' },
  run: { word: 'test run', list: '/runs', lists: 'test runs', code: 'TEST_RUN_NOT_FOUND' },
  result: { word: 'test result', list: '/runs', lists: 'test runs', code: 'TEST_RESULT_NOT_FOUND' },
  crawl: { word: 'crawl', list: '/crawls', lists: 'crawls', code: 'CRAWL_NOT_FOUND' },
  issue: { word: 'issue', list: '/issues', lists: 'issues', code: 'ISSUE_NOT_FOUND' },
  test: { word: 'test', list: '/library', lists: 'test library', code: 'TEST_TEMPLATE_NOT_FOUND' },
  filter: { word: 'filter', list: '/threats/filters', lists: 'filters', code: 'FILTER_NOT_FOUND' },
} as const

type Kind = keyof typeof kinds

interface MissingProps {
  readonly kind: Kind
  /** 1 where the page has no other heading. */
  readonly level: 1 | 2
}

/** A page without anything else: what its address names is not there. */
export function MissingPage({ kind }: { readonly kind: Kind }) {
  useDocumentTitle(t('common.vigilTitle', { title: t('notFound.title') }))
  return <Missing kind={kind} level={1} />
}

/** What an address names is not there: says why that may be, and leads to what is. */
function Missing({ kind, level }: MissingProps) {
  const { word, list, lists } = kinds[kind]
  return (
    <Paper withBorder>
      <EmptyState
        icon={<IconMapOff size={28} />}
        title={`There is no such ${word}`}
        level={level}
        actions={
          <Button component={Link} to={list}>
            Go to the {lists}
          </Button>
        }
      >
        It may have been deleted, you may not have access to it, or the link is wrong.
      </EmptyState>
    </Paper>
  )
}

interface DetailFailureProps {
  /** What the page is about. */
  readonly kind: Kind
  readonly error: unknown
  readonly onRetry: () => void
}

/** Why a page about one thing has no content: the thing is not there, or its call failed. */
export function DetailFailure({ kind, error, onRetry }: DetailFailureProps) {
  const { code } = kinds[kind]
  const isGone = error instanceof CallError && (error.code === code || error.code === kinds.collection.code)
  return isGone ? <Missing kind={kind} level={2} /> : <FailureNotice error={error} onRetry={onRetry} />
}
