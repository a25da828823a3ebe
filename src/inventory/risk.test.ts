import { describe, expect, it } from 'vitest'
import type { RiskInput } from './risk.ts'
import { assessRisk } from './risk.ts'

const DAY = 86_400
const NOW = 1_769_850_000

function input(rest: Partial<RiskInput> = {}): RiskInput {
  return {
    discoveredAt: NOW - 90 * DAY,
    accessTypes: ['PRIVATE'],
    sensitiveInRequest: [],
    sensitiveInResponse: [],
    authTypes: ['JWT'],
    method: 'GET',
    ...rest,
  }
}

const ISSUES = { critical: 0, high: 1, medium: 0, low: 2 }

describe('risk score', () => {
  const open = (critical: number, high = 0, medium = 0, low = 0) =>
    assessRisk(input({ issues: { critical, high, medium, low } })).riskScore

  it('is high for a private endpoint with four critical findings', () => {
    expect(open(4)).toBeGreaterThanOrEqual(4)
    expect(assessRisk(input({ issues: { critical: 4, high: 0, medium: 0, low: 0 } })).severityScore).toBe(400)
  })

  it('grows with the gravity and the number of open issues', () => {
    const scores = [open(0), open(0, 0, 0, 1), open(0, 0, 1), open(0, 1), open(1), open(2), open(4)]
    expect(scores).toEqual(scores.toSorted((a, b) => a - b))
    expect(new Set(scores).size).toBe(scores.length)
  })

  it('is high for a public endpoint with e-mails in answers and a grave issue', () => {
    const risk = assessRisk(
      input({ accessTypes: ['PUBLIC'], sensitiveInResponse: ['EMAIL'], issues: ISSUES }),
    )
    expect(risk.severityScore).toBe(102)
    expect(risk.riskScore).toBeGreaterThanOrEqual(4)
  })

  it('goes down when the last issue is closed', () => {
    expect(open(0, 1)).toBeGreaterThan(2)
    expect(open(0)).toBe(0)
  })

  it('grows with attacks of the last seven days, and does not fall only with time', () => {
    const attacked = (recentThreats: number) => assessRisk(input({ recentThreats })).riskScore
    expect(attacked(1)).toBeGreaterThan(0)
    expect(attacked(100)).toBeGreaterThan(attacked(1))
    expect(assessRisk(input({ discoveredAt: NOW })).riskScore).toBe(assessRisk(input()).riskScore)
  })
})

describe('factors', () => {
  const cases: Partial<RiskInput>[] = [
    {},
    { discoveredAt: NOW },
    { discoveredAt: NOW - 31 * DAY, accessTypes: ['PUBLIC'] },
    { accessTypes: ['PUBLIC'], sensitiveInResponse: ['EMAIL', 'JWT'], issues: ISSUES, recentThreats: 2 },
    { issues: { critical: 0, high: 0, medium: 0, low: 1 }, method: 'DELETE', url: '/users/INTEGER' },
    {
      discoveredAt: NOW,
      sensitiveInUrl: ['JWT'],
      recentThreats: 3,
      isDocumented: false,
      authTypes: ['BASIC'],
    },
  ]

  it.each(cases)('add up to the score in tenths: %j', (rest) => {
    const risk = assessRisk(input(rest))
    const tenths = risk.factors.reduce((sum, { points }) => sum + Math.round(points * 10), 0)
    expect(tenths / 10).toBe(risk.riskScore)
    for (const { points, evidence } of risk.factors) {
      expect(points).toBeGreaterThan(0)
      expect(evidence).not.toBe('')
    }
  })

  it('leave documentation out while none is known', () => {
    expect(assessRisk(input()).factors).toEqual([])
    expect(assessRisk(input({ isDocumented: true })).factors).toEqual([])
    expect(assessRisk(input({ isDocumented: false })).factors).toMatchObject([
      { factor: 'undocumented or retired', points: 1.3 },
    ])
  })
})

describe('the scale', () => {
  it('is 0 without factors and ends at 5 with all of them', () => {
    expect(assessRisk(input())).toMatchObject({ riskScore: 0, factors: [] })
    const all = assessRisk(
      input({
        accessTypes: ['PUBLIC'],
        sensitiveInResponse: ['PASSWORD', 'STACK_TRACE'],
        sensitiveInUrl: ['EMAIL'],
        authTypes: ['UNAUTHENTICATED'],
        method: 'DELETE',
        url: '/users/INTEGER',
        issues: { critical: 3, high: 3, medium: 3, low: 3 },
        recentThreats: 10_000,
        recordsPerResponse: 1000,
        isDocumented: false,
        weakTransport: 'plain HTTP',
      }),
    )
    expect(all.factors).toHaveLength(11)
    expect(all.riskScore).toBeGreaterThan(4.8)
    expect(all.riskScore).toBeLessThanOrEqual(5)
  })

  it('tells each factor with points, evidence, time and what would lower it, the largest first', () => {
    const risk = assessRisk(
      input({ accessTypes: ['PRIVATE', 'PUBLIC'], method: 'POST', since: { exposure: NOW - 5 } }),
    )
    expect(risk.factors).toEqual([
      {
        factor: 'exposure',
        points: 1.6,
        evidence: 'PUBLIC',
        since: NOW - 5,
        remedy: 'restrict who can reach it',
      },
      expect.objectContaining({ factor: 'changes state', points: 0.4, since: NOW - 90 * DAY }),
    ])
    expect(risk.riskScore).toBe(Math.round(50 * (1 - (1 - 0.35) * (1 - 0.09))) / 10)
  })

  it('weighs anonymous access to sensitive answers', () => {
    const observed = assessRisk(input({ sensitiveInResponse: ['EMAIL'], authTypes: ['UNAUTHENTICATED'] }))
    const unproven = assessRisk(input({ sensitiveInResponse: ['EMAIL'], anonymousAccess: 'NOT_PROVEN' }))
    const refused = assessRisk(input({ sensitiveInResponse: ['EMAIL'] }))
    expect(observed.riskScore).toBeGreaterThan(unproven.riskScore)
    expect(unproven.riskScore).toBeGreaterThan(refused.riskScore)
  })

  it('does not call a sign-in anonymous', () => {
    const seen = { sensitiveInResponse: ['JWT'], authTypes: ['UNAUTHENTICATED'] }
    const names = (rest: Partial<RiskInput>) =>
      assessRisk(input({ ...seen, ...rest })).factors.map(({ factor }) => factor)
    expect(names({})).toContain('anonymous access')
    expect(names({ isSignIn: true })).toEqual(['sensitive data in answers'])
  })

  it('does not count what is not known', () => {
    expect(assessRisk(input({ authTypes: ['UNAUTHENTICATED'] })).factors).toEqual([])
  })
})
