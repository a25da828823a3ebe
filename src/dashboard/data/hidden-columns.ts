import type { Updater, VisibilityState } from '@tanstack/react-table'
import { useState } from 'react'
import { useSessionState } from '../session/use-session.ts'

/** Reads which columns somebody hid; null where nothing was chosen, or nothing can be kept. */
function read(key: string): VisibilityState | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return null
    return Object.fromEntries(Object.entries(kept).filter(([, isShown]) => typeof isShown === 'boolean'))
  } catch {
    return null
  }
}

/**
 * Which columns of a table the person who is signed in sees, kept in this browser.
 *
 * @param table name of the table, for keeping
 * @param hiddenAtFirst columns that are hidden until the person chooses them
 */
export function useHiddenColumns(table: string, hiddenAtFirst: readonly string[]) {
  const session = useSessionState()
  const login = session.phase === 'signed-in' ? session.login : ''
  const key = `vigil.columns.${table}.${login}`
  const [visibility, setVisibility] = useState<VisibilityState>(() => ({
    ...Object.fromEntries(hiddenAtFirst.map((id) => [id, false])),
    ...read(key),
  }))
  const change = (update: Updater<VisibilityState>): void => {
    const next = typeof update === 'function' ? update(visibility) : update
    setVisibility(next)
    try {
      localStorage.setItem(key, JSON.stringify(next))
    } catch {
      // A browser that keeps nothing: the choice lasts as long as the page.
    }
  }
  return [visibility, change] as const
}
