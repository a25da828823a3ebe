import type { Settings } from './setting-table.ts'

/** What a process of an installation does; several roles may be one process, and several processes may have one role. */
export const roles = ['serve', 'ingest', 'worker', 'crawler'] as const

export type Role = (typeof roles)[number]

export function hasRole({ roles }: Pick<Settings, 'roles'>, role: Role): boolean {
  return roles.includes(role)
}
