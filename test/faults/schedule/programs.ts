import { spawnSync } from 'node:child_process'
import { findPrograms } from '../../../scripts/postgres.ts'

/** Whether this machine has the programs of a schedule with PostgreSQL and NATS. */
export function hasPrograms(): boolean {
  return findPrograms() !== null && spawnSync('nats-server', ['--version']).status === 0
}
