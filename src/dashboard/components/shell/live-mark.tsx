import { Text, Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useLivePhase } from '../../data/live/use-live.ts'
import { useOldestRead } from '../../data/live/use-oldest-read.ts'
import { RichText } from '../../i18n/rich-text.tsx'
import { t } from '../../i18n/translate.ts'
import { TimeAgo } from '../time-ago.tsx'
import classes from './live-mark.module.css'

const AGE_EVERY_MS = 10_000

/** Says whether the page follows changes as they happen, or else how old it is. */
export function LiveMark() {
  const phase = useLivePhase()
  if (phase === 'live') {
    return (
      <Tooltip label={t('shell.liveHint')}>
        <Text span size="sm" className={classes['mark']} data-live>
          <span className={classes['dot']} aria-hidden />
          <span className={classes['word']}>{t('shell.live')}</span>
        </Text>
      </Tooltip>
    )
  }
  return phase === 'lost' || phase === 'refused' ? <Age /> : null
}

function Age() {
  const readAt = useOldestRead()
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), AGE_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <Text span size="sm" className={classes['mark']}>
      <span className={classes['dot']} aria-hidden />
      <span className={classes['word']}>
        {readAt === null ? (
          t('shell.readNothing')
        ) : (
          <RichText id="shell.read" values={{ time: <TimeAgo seconds={Math.floor(readAt / 1000)} /> }} />
        )}
      </span>
    </Text>
  )
}
