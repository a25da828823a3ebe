import { secondsOf } from '../../../data/time-zone.ts'

/** A suppression as it was typed. */
export interface SuppressionDraft {
  readonly filter: string
  readonly actor: string
  readonly host: string
  /** Id of a collection, as text; null for any. */
  readonly collection: string | null
  readonly url: string
  readonly reason: string
  /** One of the values of {@link lengths}. */
  readonly length: string
  /** Date and time in the shown zone, as the field of a form gives it. */
  readonly date: string
}

/** A suppression with nothing in it. */
export const emptyDraft: SuppressionDraft = {
  filter: '',
  actor: '',
  host: '',
  collection: null,
  url: '',
  reason: '',
  length: '0',
  date: '',
}

const DAY = 86_400

/** How long a suppression can hold: seconds, 0 permanently, or until a date. */
export const lengths = [
  { value: '0', label: 'Permanently' },
  { value: String(DAY), label: 'One day' },
  { value: String(7 * DAY), label: 'One week' },
  { value: String(30 * DAY), label: '30 days' },
  { value: 'date', label: 'Until a date' },
]

/** Whether a draft says of which events. */
export function hasScope({ filter, actor, host, collection, url }: SuppressionDraft): boolean {
  return collection !== null || [filter, actor, host, url].some((text) => text.trim() !== '')
}

/** When it ends, in epoch seconds, 0 for never; null for a date that is not a time to come. */
export function endOf({ length, date }: SuppressionDraft, now: number): number | null {
  if (length !== 'date') return length === '0' ? 0 : now + Number(length)
  const end = secondsOf(date)
  return end > now ? end : null
}
