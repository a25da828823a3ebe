import { useState } from 'react'
import { readVisits } from '../../data/last-visit.ts'
import { useListAddress } from '../../data/list-address.ts'
import { useSessionState } from '../../session/use-session.ts'

const spans: Readonly<Record<string, number>> = { day: 86_400, week: 604_800, month: 2_592_000 }

/** Times that the overview can look back on. */
export const sinceChoices = [
  { value: 'visit', label: 'overview.sinceVisit' },
  { value: 'day', label: 'overview.sinceDay' },
  { value: 'week', label: 'overview.sinceWeek' },
  { value: 'month', label: 'overview.sinceMonth' },
] as const

/** The moment that the overview looks back on, epoch seconds, as the address chooses it. */
export function useSince(): { since: number; choice: string; lastVisit: number | null } {
  const state = useSessionState()
  const login = state.phase === 'signed-in' ? state.login : ''
  const [lastVisit] = useState(() => readVisits(login)?.previous ?? null)
  const asked = useListAddress().one('since')
  const choice = Object.hasOwn(spans, asked) ? asked : 'visit'
  if (choice === 'visit' && lastVisit !== null) return { since: lastVisit, choice, lastVisit }
  // To the minute, so that requests stay the same for a while.
  const now = Math.floor(Date.now() / 60_000) * 60
  return { since: now - (spans[choice] ?? spans['week']!), choice, lastVisit }
}
