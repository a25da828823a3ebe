import { Anchor, Button, Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Unknown } from '../../components/unknown.tsx'
import { describeError } from '../../data/describe-error.ts'
import { isPassing } from '../../data/query-client.ts'
import { countText } from '../../data/words.ts'
import { t } from '../../i18n/translate.ts'
import classes from './home.module.css'

/** Stands for a number that is not known. */
const MANY = 2

interface ChangeProps {
  readonly query: { readonly error: unknown; readonly isPending: boolean; readonly refetch: () => unknown }
  readonly count: number | undefined
  /** What is counted, for as many. */
  readonly word: (count: number) => string
  /** Address of the list behind the number. */
  readonly to: string
  /** Other numbers, each with its link. */
  readonly more?: ReactNode
}

/** One number of what changed, as a link to its list; when its call fails it says so, and the others stay. */
export function Change({ query, count, word, to, more }: ChangeProps) {
  if (query.isPending) return <Skeleton height={84} width={150} />
  if (count === undefined) {
    // The banner says that the server does not answer, and asks again.
    const isTold = isPassing(query.error)
    return (
      <div className={classes['change']} role={isTold ? undefined : 'alert'}>
        <Text fw={650} size="xl">
          <Unknown />
        </Text>
        <Text size="sm">{t('overview.notAvailable', { word: word(MANY) })}</Text>
        {!isTold && (
          <Button
            size="compact-xs"
            variant="default"
            title={describeError(query.error).title}
            onClick={() => void query.refetch()}
          >
            {t('common.tryAgain')}
          </Button>
        )}
      </div>
    )
  }
  return (
    <div className={classes['change']}>
      <Anchor component={Link} to={to} underline="never" c="inherit" display="block">
        <Text fw={650} size="xl" component="span" display="block" data-none={count === 0 || undefined}>
          {countText(count)}
        </Text>
        <Text size="sm" component="span" display="block">
          {word(count)}
        </Text>
      </Anchor>
      {more}
    </div>
  )
}
