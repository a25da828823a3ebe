import { Text, Tooltip } from '@mantine/core'
import { shownZone } from '../data/time-zone.ts'
import { dateLocale, shownLanguage } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'

const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

const relative = new Intl.RelativeTimeFormat(shownLanguage, { numeric: 'auto' })
const absolute = new Intl.DateTimeFormat(dateLocale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: shownZone,
  timeZoneName: 'short',
})

/** "3 hours ago" for epoch seconds, counted from `now` (epoch seconds). */
export function relativeTime(seconds: number, now: number): string {
  const distance = seconds - now
  const step = steps.find(([, length]) => Math.abs(distance) >= length)
  if (step === undefined) return t(distance > 0 ? 'time.inAMoment' : 'time.justNow')
  return relative.format(Math.round(distance / step[1]), step[0])
}

/** The exact time of epoch seconds, in the zone that the reader chose. */
export function exactTime(seconds: number): string {
  return absolute.format(seconds * 1000)
}

const minutes = new Intl.DateTimeFormat(dateLocale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: shownZone,
  timeZoneName: 'short',
})

/** "26 Nov 2026, 14:00 – 14:59 UTC": from one minute to another, in epoch seconds; an end of 0 is now. */
export function timeRange(start: number, end: number): string {
  return end === 0
    ? t('time.toNow', { start: minutes.format(start * 1000) })
    : minutes.formatRange(start * 1000, Math.max(start, end) * 1000)
}

/** A time in words, as large as the text around it; the exact one on hover and focus. 0 or null shows `never`. */
export function TimeAgo({ seconds, never }: { seconds: number | null; never?: string }) {
  if (!seconds) {
    return (
      <Text span inherit c="dimmed">
        {never ?? t('time.never')}
      </Text>
    )
  }
  return (
    <Tooltip label={exactTime(seconds)}>
      <Text span inherit style={{ whiteSpace: 'nowrap' }}>
        <time dateTime={new Date(seconds * 1000).toISOString()}>
          {relativeTime(seconds, Math.floor(Date.now() / 1000))}
        </time>
      </Text>
    </Tooltip>
  )
}
