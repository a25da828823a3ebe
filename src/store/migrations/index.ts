import { ground } from './0001-ground.ts'

/** Every migration in order: number, intent and SQL. Append only. */
export const migrations: readonly { name: string; sql: string; isBreaking: boolean }[] = [
  { name: '0001-ground', sql: ground, isBreaking: true },
]
