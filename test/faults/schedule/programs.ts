import { spawnSync } from 'node:child_process'
import { findPrograms } from '../../../scripts/postgres.ts'

/** Whether this machine has the programs of a schedule with PostgreSQL and NATS, and what ends them with their test. */
export function hasPrograms(): boolean {
  return (
    findPrograms() !== null &&
    ['nats-server', 'setpriv'].every((program) => spawnSync(program, ['--version']).status === 0)
  )
}
