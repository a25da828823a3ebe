import { useSyncExternalStore } from 'react'
import { type SessionState, SessionStore } from './session-store.ts'

/** The one session of this window. */
export const session = new SessionStore()

/** Where the visitor stands, followed as it changes. */
export function useSessionState(): SessionState {
  return useSyncExternalStore(session.subscribe, session.state)
}
