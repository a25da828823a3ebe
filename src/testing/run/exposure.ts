import type { Trial } from './judge.ts'
import type { AttemptRecord } from './pair-result.ts'
import { hasPrivateValue } from './private-values.ts'

/** How sure it is that an answer without credentials was not meant for everybody. */
interface Exposure {
  /** Steps that the finding is less severe than its test. */
  readonly steps: 0 | 1 | 2
  /** A sentence for people; '' where nothing speaks against the finding. */
  readonly reason: string
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * What speaks for and against a finding that an endpoint needs no credentials: whether it gives what people keep to
 * themselves or changes what belongs to a user, and whether it was recorded being used without credentials.
 *
 * @param proof the attempt that was answered
 */
export function exposureOf({ endpoint, sample, tools }: Trial, proof: AttemptRecord): Exposure {
  const { lookups } = tools
  // Use without credentials excuses nothing here.
  if (hasPrivateValue(proof.exchange, lookups)) return { steps: 0, reason: '' }
  const isPersonal = !READS.has(endpoint.method) && lookups.ownershipOf(endpoint, sample) !== ''
  const isUsed = lookups.isUsedAnonymously(endpoint)
  const reason = [
    ...(isPersonal ? [] : [NOT_PERSONAL]),
    ...(isUsed ? ['The endpoint was also recorded being used without credentials.'] : []),
  ].join(' ')
  const steps = isPersonal && !isUsed ? 0 : isPersonal || !isUsed ? 1 : 2
  return { steps, reason: reason === '' ? '' : `${reason} It may be meant for everybody.` }
}

const NOT_PERSONAL = 'Nothing shows that this belongs to one user or that people keep it to themselves.'
