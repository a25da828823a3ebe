import { useEffect } from 'react'
import { markVisit } from '../../data/last-visit.ts'
import { useSessionState } from '../../session/use-session.ts'

/** Remembers in this browser that the person looked at a page; the overview tells what changed since the visit before. */
export function useVisitMark(pathname: string): void {
  const state = useSessionState()
  const login = state.phase === 'signed-in' ? state.login : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: every page is a sign
  useEffect(() => {
    if (login !== null) markVisit(login)
  }, [login, pathname])
}
