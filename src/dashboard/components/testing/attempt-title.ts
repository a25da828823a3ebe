import type { EvidenceAttempt } from './read-evidence.ts'

/** Title of an attempt, counted from 1. Only an attempt of a finding can prove anything, whatever its condition says. */
export function attemptTitle(
  number: number,
  { validates }: Pick<EvidenceAttempt, 'validates'>,
  isFinding: boolean,
): string {
  return `Attempt ${number}${isFinding && validates ? ' (proves it)' : ''}`
}
