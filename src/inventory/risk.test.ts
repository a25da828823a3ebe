import { describe, expect, it } from 'vitest'
import type { RiskInput } from './risk.ts'
import { assessRisk, riskGroupOf, severityLabelOf } from './risk.ts'

const DAY = 86_400
const NOW = 1_769_850_000

function input(rest: Partial<RiskInput> = {}): RiskInput {
  return {
    now: NOW,
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

describe('risk score on the wire', () => {
  it('is 5 for a new public endpoint with e-mails in answers and a grave issue', () => {
    const risk = assessRisk(
      input({
        discoveredAt: NOW - 7 * DAY,
        accessTypes: ['PUBLIC'],
        sensitiveInResponse: ['EMAIL'],
        issues: ISSUES,
      }),
    )
    expect(risk).toMatchObject({ severityScore: 102, riskScore: 5 })
    expect(riskGroupOf(risk.riskScore)).toBe('HIGH')
  })

  it('goes down when the last issue is closed', () => {
    expect(assessRisk(input({ issues: ISSUES })).riskScore).toBe(2)
    expect(assessRisk(input()).riskScore).toBe(0)
  })

  it('counts an attack instead of newness', () => {
    expect(assessRisk(input({ discoveredAt: NOW, threatCount: 4 })).riskScore).toBe(1)
    expect(assessRisk(input({ discoveredAt: NOW })).riskScore).toBe(1)
  })

  it('gives half a point for low issues, one for medium', () => {
    expect(assessRisk(input({ issues: { critical: 0, high: 0, medium: 0, low: 9 } })).riskScore).toBe(0.5)
    expect(assessRisk(input({ issues: { critical: 0, high: 0, medium: 1, low: 0 } })).riskScore).toBe(1)
  })

  it('has labels and groups at their limits', () => {
    expect([0, 1, 9, 10, 99, 100, 999, 1000].map(severityLabelOf)).toEqual([
      undefined,
      'LOW',
      'LOW',
      'MEDIUM',
      'MEDIUM',
      'HIGH',
      'HIGH',
      'CRITICAL',
    ])
    expect([0, 2.5, 3, 3.5, 4, 5].map(riskGroupOf)).toEqual([
      'LOW',
      'LOW',
      'MEDIUM',
      'MEDIUM',
      'HIGH',
      'HIGH',
    ])
  })
})

describe('factors', () => {
  const cases: Partial<RiskInput>[] = [
    {},
    { discoveredAt: NOW },
    { discoveredAt: NOW - 31 * DAY, accessTypes: ['PUBLIC'] },
    { accessTypes: ['PUBLIC'], sensitiveInResponse: ['EMAIL', 'JWT'], issues: ISSUES, threatCount: 2 },
    { issues: { critical: 0, high: 0, medium: 0, low: 1 }, method: 'DELETE', url: '/users/INTEGER' },
    {
      discoveredAt: NOW,
      sensitiveInUrl: ['JWT'],
      recentThreats: 3,
      isDocumented: false,
      authTypes: ['BASIC'],
    },
  ]

  it.each(cases)('add up to both scores: %j', (rest) => {
    const risk = assessRisk(input(rest))
    const total = (read: (factor: (typeof risk.factors)[number]) => number) =>
      risk.factors.reduce((sum, factor) => sum + read(factor), 0)
    expect(total(({ points }) => points)).toBe(risk.riskScore)
    expect(total(({ weight }) => weight)).toBe(risk.weighedScore)
    for (const { points, weight, evidence } of risk.factors) {
      expect(points > 0 || weight > 0).toBe(true)
      expect(evidence).not.toBe('')
    }
  })

  it('leave documentation out while none is known', () => {
    expect(assessRisk(input()).factors).toEqual([])
    expect(assessRisk(input({ isDocumented: true })).factors).toEqual([])
    expect(assessRisk(input({ isDocumented: false })).factors).toMatchObject([
      { factor: 'undocumented or retired', points: 0, weight: 25 },
    ])
  })
})

describe('weighed score', () => {
  it('is 0 without factors and stays below 100 with all of them', () => {
    expect(assessRisk(input())).toMatchObject({ weighedScore: 0, riskScore: 0, factors: [] })
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
    expect(all.weighedScore).toBeGreaterThan(95)
    expect(all.weighedScore).toBeLessThanOrEqual(100)
  })

  it('tells each factor with points, evidence, time and what would lower it, the largest first', () => {
    const risk = assessRisk(
      input({ accessTypes: ['PRIVATE', 'PUBLIC'], method: 'POST', since: { exposure: NOW - 5 } }),
    )
    expect(risk.factors).toEqual([
      {
        factor: 'exposure',
        points: 1,
        weight: 34,
        evidence: 'PUBLIC',
        since: NOW - 5,
        remedy: 'restrict who can reach it',
      },
      expect.objectContaining({ factor: 'changes state', points: 0, weight: 7, since: NOW - 90 * DAY }),
    ])
    expect(risk.weighedScore).toBe(Math.round(100 * (1 - (1 - 0.35) * (1 - 0.09))))
  })

  it('weighs anonymous access to sensitive answers', () => {
    const observed = assessRisk(input({ sensitiveInResponse: ['EMAIL'], authTypes: ['UNAUTHENTICATED'] }))
    const unproven = assessRisk(input({ sensitiveInResponse: ['EMAIL'], anonymousAccess: 'NOT_PROVEN' }))
    const refused = assessRisk(input({ sensitiveInResponse: ['EMAIL'] }))
    expect(observed.weighedScore).toBeGreaterThan(unproven.weighedScore)
    expect(unproven.weighedScore).toBeGreaterThan(refused.weighedScore)
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
