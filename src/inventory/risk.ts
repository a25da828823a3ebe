import { DATA_TYPES } from '../data-types/index.ts'
import type { EpochSeconds } from '../kit/index.ts'
import type { AccessType } from './access-type.ts'

/** Open issues of an endpoint, by severity. */
interface OpenIssues {
  readonly critical: number
  readonly high: number
  readonly medium: number
  readonly low: number
}

/** What the risk of an endpoint is judged by. Everything below `method` may be left out. */
export interface RiskInput {
  readonly discoveredAt: EpochSeconds
  readonly accessTypes: readonly string[]
  readonly sensitiveInRequest: readonly string[]
  readonly sensitiveInResponse: readonly string[]
  /** The actual kinds of authentication, as on the wire. */
  readonly authTypes: readonly string[]
  readonly method: string
  readonly url?: string
  readonly issues?: OpenIssues
  /** Malicious requests of the last seven days. */
  readonly recentThreats?: number
  /** Types found in path or query. */
  readonly sensitiveInUrl?: readonly string[]
  /** Anonymous callers get the same as authenticated ones: OBSERVED, or it was not proven that they do not. */
  readonly anonymousAccess?: 'OBSERVED' | 'NOT_PROVEN' | 'NONE'
  /** Requests carry a password: the caller proves who it is with the call itself, so it is not anonymous. */
  readonly isSignIn?: boolean
  /** Records with sensitive data in one typical response. */
  readonly recordsPerResponse?: number
  /** How parameters of the path can be guessed. */
  readonly objectIds?: 'SEQUENTIAL' | 'UUID' | 'NONE'
  /** Unset: not known, which counts as no risk. */
  readonly isDocumented?: boolean
  readonly isDeprecatedButAlive?: boolean
  readonly weakTransport?: string
  readonly verboseErrors?: boolean
  /** When each factor was first seen; the time of discovery when left out. */
  readonly since?: Readonly<Record<string, EpochSeconds>>
}

interface RiskFactor {
  readonly factor: string
  /** Its part of the risk score in tenths of a point, above 0: the points of all factors add up to the score. */
  readonly points: number
  readonly evidence: string
  readonly since: EpochSeconds
  /** What would lower it. */
  readonly remedy: string
}

interface Risk {
  /** Sum over the open issues: CRITICAL and HIGH 100, MEDIUM 10, LOW 1. */
  readonly severityScore: number
  /** 0..5 in tenths: 5 · (1 − Π(1 − wᵢ·xᵢ)), so that factors add without leaving the scale, in any order. */
  readonly riskScore: number
  /** The largest first. */
  readonly factors: readonly RiskFactor[]
}

const NO_ISSUES: OpenIssues = { critical: 0, high: 0, medium: 0, low: 0 }

/**
 * Scores of an endpoint. It is a function of what is open and seen now: an endpoint whose last issue was closed scores
 * lower at the next call, and every endpoint can be scored, however many there are.
 */
export function assessRisk(input: RiskInput): Risk {
  const severityScore = severityScoreOf(input.issues ?? NO_ISSUES)
  const found: { definition: FactorDefinition; share: number; evidence: string }[] = []
  for (const definition of FACTORS) {
    const measured = definition.measure(input)
    if (measured === undefined || measured.extent <= 0) continue
    const share = definition.weight * Math.min(1, measured.extent)
    found.push({ definition, share, evidence: measured.evidence })
  }
  const tenths = tenthsOf(found.map(({ share }) => share))
  const factors = found.flatMap(({ definition: { factor, remedy }, evidence }, i): RiskFactor[] => {
    const since = input.since?.[factor] ?? input.discoveredAt
    return tenths[i] === 0 ? [] : [{ factor, points: tenths[i]! / 10, evidence, since, remedy }]
  })
  factors.sort((a, b) => b.points - a.points || (a.factor < b.factor ? -1 : 1))
  return { severityScore, riskScore: sum(tenths) / 10, factors }
}

/** Tenths of points on the whole scale. */
const SCALE = 50

/**
 * Whole numbers that add up to 50 · (1 − Π(1 − shareᵢ)), each as large a part of it as its share takes away of what is
 * left whole (−ln(1 − shareᵢ)); the largest remainders are rounded up.
 */
function tenthsOf(shares: readonly number[]): number[] {
  const total = Math.round(SCALE * (1 - shares.reduce((whole, share) => whole * (1 - share), 1)))
  const parts = shares.map((share) => -Math.log1p(-share))
  const all = sum(parts)
  if (all === 0) return parts.map(() => 0)
  const exact = parts.map((part) => (total * part) / all)
  const tenths = exact.map(Math.floor)
  const byRemainder = exact.map((value, i) => [value - tenths[i]!, i] as const).sort((a, b) => b[0] - a[0])
  for (const [, i] of byRemainder.slice(0, total - sum(tenths))) tenths[i]!++
  return tenths
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** Weight of the open issues: CRITICAL and HIGH 100, MEDIUM 10, LOW 1. */
function severityScoreOf(issues: OpenIssues): number {
  return (issues.critical + issues.high) * 100 + issues.medium * 10 + issues.low
}

interface Measured {
  /** 0..1 */
  readonly extent: number
  readonly evidence: string
}

interface FactorDefinition {
  readonly factor: string
  /** Part of the scale at full extent, below 1. */
  readonly weight: number
  readonly remedy: string
  readonly measure: (input: RiskInput) => Measured | undefined
}

const EXPOSURE: readonly (readonly [AccessType, number])[] = [
  ['PUBLIC', 1],
  ['PARTNER', 0.5],
  ['THIRD_PARTY', 0.4],
]

/** How grave a leak of a class of data is; types that users defined count like persons. */
const GRAVITY_OF_CATEGORY: Readonly<Record<string, number>> = {
  SECRET: 1,
  TOKEN: 1,
  NATIONAL_ID: 0.9,
  HEALTH: 0.9,
  FINANCE: 0.9,
  PERSON: 0.6,
  DEVICE: 0.3,
  IDENTIFIER: 0.3,
  CONTENT: 0.3,
}
const CUSTOM_GRAVITY = 0.6
const CATEGORY_OF_TYPE = new Map<string, string>(DATA_TYPES.map((type) => [type.name, type.category]))

function gravityOf(type: string): number {
  const category = CATEGORY_OF_TYPE.get(type)
  return category === undefined ? CUSTOM_GRAVITY : GRAVITY_OF_CATEGORY[category]!
}

/** 1 record counts half, 100 and more fully. */
function scaleOfRecords(records: number): number {
  return Math.min(1, 0.5 + Math.log10(Math.max(1, records)) / 4)
}

const FACTORS: readonly FactorDefinition[] = [
  {
    factor: 'open issues',
    weight: 0.9,
    remedy: 'fix the open issues, the gravest first',
    measure({ issues = NO_ISSUES }) {
      const { critical, high, medium, low } = issues
      const sum = 3 * critical + 1.5 * high + 0.5 * medium + 0.1 * low
      return {
        extent: 1 - 0.5 ** sum,
        evidence: Object.entries({ critical, high, medium, low })
          .flatMap(([severity, count]) => (count > 0 ? [`${count} ${severity}`] : []))
          .join(', '),
      }
    },
  },
  {
    factor: 'anonymous access',
    weight: 0.6,
    remedy: 'require authentication',
    measure({ anonymousAccess, authTypes, sensitiveInResponse, isSignIn }) {
      if (sensitiveInResponse.length === 0 || isSignIn === true) return undefined
      const seen = anonymousAccess ?? (authTypes.includes('UNAUTHENTICATED') ? 'OBSERVED' : 'NONE')
      if (seen === 'NONE') return undefined
      const types = sensitiveInResponse.slice(0, 5).join(', ')
      return seen === 'OBSERVED'
        ? { extent: 1, evidence: `anonymous callers received ${types}` }
        : { extent: 0.5, evidence: `no call proves that anonymous callers are refused ${types}` }
    },
  },
  {
    factor: 'sensitive data in answers',
    weight: 0.5,
    remedy: 'leave out or mask the fields that callers do not need',
    measure({ sensitiveInResponse, recordsPerResponse = 1 }) {
      if (sensitiveInResponse.length === 0) return undefined
      const gravity = Math.max(...sensitiveInResponse.map(gravityOf))
      return {
        extent: gravity * scaleOfRecords(recordsPerResponse),
        evidence: sensitiveInResponse.slice(0, 8).join(', '),
      }
    },
  },
  {
    factor: 'sensitive data in the address',
    weight: 0.4,
    remedy: 'move secrets and personal data from path and query to header or body: addresses end up in logs',
    measure: ({ sensitiveInUrl = [] }) =>
      sensitiveInUrl.length === 0
        ? undefined
        : { extent: 1, evidence: sensitiveInUrl.slice(0, 8).join(', ') },
  },
  {
    factor: 'under attack',
    weight: 0.4,
    remedy: 'block the attackers, then test the endpoint for what they tried',
    measure({ recentThreats = 0 }) {
      if (recentThreats === 0) return undefined
      const what = recentThreats === 1 ? 'malicious request' : 'malicious requests'
      return {
        extent: 0.4 + Math.log10(recentThreats) / 5,
        evidence: `${recentThreats} ${what} in seven days`,
      }
    },
  },
  {
    factor: 'exposure',
    weight: 0.35,
    remedy: 'restrict who can reach it',
    measure({ accessTypes }) {
      const exposed = EXPOSURE.find(([accessType]) => accessTypes.includes(accessType))
      return exposed === undefined ? undefined : { extent: exposed[1], evidence: exposed[0] }
    },
  },
  {
    factor: 'guessable object ids',
    weight: 0.3,
    remedy: 'use ids that cannot be guessed, and check that the object belongs to the caller',
    measure({ objectIds = 'NONE', url = '' }) {
      const kind = objectIds === 'NONE' && /\/INTEGER(?:\/|$)/.test(url) ? 'SEQUENTIAL' : objectIds
      if (kind === 'NONE') return undefined
      return kind === 'SEQUENTIAL'
        ? { extent: 1, evidence: 'ids are numbers' }
        : { extent: 0.5, evidence: 'ids are UUIDs' }
    },
  },
  {
    factor: 'weak transport or credential',
    weight: 0.3,
    remedy: 'use TLS, and credentials that expire',
    measure({ weakTransport, authTypes }) {
      if (weakTransport !== undefined) return { extent: 1, evidence: weakTransport }
      return authTypes.includes('BASIC') ? { extent: 1, evidence: 'basic authentication' } : undefined
    },
  },
  {
    factor: 'undocumented or retired',
    weight: 0.25,
    remedy: 'document it, or switch it off',
    measure({ isDocumented, isDeprecatedButAlive }) {
      if (isDeprecatedButAlive) return { extent: 1, evidence: 'deprecated but still called' }
      return isDocumented === false ? { extent: 1, evidence: 'not in the documentation' } : undefined
    },
  },
  {
    factor: 'changes state',
    weight: 0.15,
    remedy: 'nothing to do: it is why the other factors weigh more here',
    measure({ method }) {
      if (method === 'DELETE') return { extent: 1, evidence: method }
      return method === 'PUT' || method === 'PATCH' || method === 'POST'
        ? { extent: 0.6, evidence: method }
        : undefined
    },
  },
  {
    factor: 'verbose errors',
    weight: 0.1,
    remedy: 'answer errors without internals',
    measure: ({ verboseErrors, sensitiveInResponse }) =>
      verboseErrors || sensitiveInResponse.includes('STACK_TRACE')
        ? { extent: 1, evidence: 'internals in error answers' }
        : undefined,
  },
]
