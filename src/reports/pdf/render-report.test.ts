import { expect, test } from 'vitest'
import type { ReportContent, ReportFinding, ReportWeakness } from '../report-content.ts'
import { renderReport } from './render-report.ts'

const none = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0 }
const HOSTILE =
  '测试中文 مرحبا بالعالم 😀👩‍👩‍👧 שלום \u202eevil\u0000\u0007 <script> \ud800 Ελληνικά Привет हिन्दी ﷽ %)(\\'

function finding(given: Partial<ReportFinding> = {}): ReportFinding {
  return {
    method: 'GET',
    url: 'https://shop.example/orders/INTEGER',
    collection: 'shop.example',
    severity: 'HIGH',
    causeKey: 'orders',
    status: 'OPEN',
    note: '',
    firstSeen: 0,
    lastSeen: 1_769_854_500,
    ticketUrl: null,
    explanation: 'The answer to the other user is the same.',
    control: '',
    request: 'GET /orders/7 HTTP/1.1\nHost: shop.example\n\n',
    answer: 'HTTP/1.1 200 \n\n{"id":7}',
    ...given,
  }
}

function weakness(given: Partial<ReportWeakness> = {}): ReportWeakness {
  return {
    testId: 'BOLA',
    name: 'Object of another user readable',
    severity: 'HIGH',
    category: 'BOLA',
    owasp: ['API1:2023 Broken Object Level Authorization'],
    cwe: ['CWE-639'],
    cve: [],
    compliance: [],
    description: 'What it is.',
    details: '',
    impact: 'What it means.',
    remediation: '# Check\n\n- the owner\n\n```sql\nSELECT 1\n```',
    links: ['https://owasp.org/', 'javascript:alert(1)'],
    findings: [finding()],
    ...given,
  }
}

function content(given: Partial<ReportContent> = {}): ReportContent {
  return {
    title: 'Nightly run',
    subject: 'Test run',
    facts: [['Made for', 'ada@example.org']],
    madeAt: 1_769_854_500,
    counts: none,
    categories: [],
    outcomes: [],
    outcomesTitle: 'Outcomes',
    endpointsInScope: 0,
    endpointsTested: 0,
    endpointsWithFindings: 0,
    trend: [],
    trendTitle: 'Trend',
    weaknesses: [],
    tested: [],
    testedTotal: 0,
    leftOut: [],
    untested: [],
    untestedTotal: 0,
    ...given,
  }
}

async function render(
  given: Partial<ReportContent>,
): Promise<{ text: string; pages: number; bytes: number }> {
  const pdf = Buffer.from(await renderReport(content(given)))
  const text = pdf.toString('latin1')
  expect(text.startsWith('%PDF-1.7')).toBe(true)
  expect(text.trimEnd().endsWith('%%EOF')).toBe(true)
  return { text, pages: text.match(/\/Type \/Page\b(?!s)/g)!.length, bytes: pdf.length }
}

test('a report of nothing has its chapters', async () => {
  const { text, pages } = await render({})
  expect(pages).toBe(5)
  for (const title of ['Summary', 'Findings', 'What was tested']) expect(text).toContain(`/Title (${title})`)
})

test('every weakness is a line of the outline, and links lead only to the web', async () => {
  const weaknesses = Array.from({ length: 40 }, (_none, at) => weakness({ name: `Weakness number ${at}` }))
  const { text, pages } = await render({ weaknesses, counts: { ...none, HIGH: 40 } })
  for (const at of [0, 17, 39]) expect(text).toContain(`/Title (${at + 1}. Weakness number ${at})`)
  expect(text).toContain('/URI (https://owasp.org/)')
  expect(text).not.toContain('/URI (javascript')
  expect(pages).toBeGreaterThan(20)
})

test('fonts are embedded as far as they are used', async () => {
  const { text, bytes } = await render({ weaknesses: [weakness()] })
  expect(text).toContain('/FontFile2')
  expect(bytes).toBeLessThan(120_000)
})

test('hostile texts end in a bounded report', { tags: ['marathon'] }, async () => {
  const url = `https://h/${'aaaaaaaaaaaa/%F0%9F?q='.repeat(500)}`
  const bad = finding({
    url,
    collection: HOSTILE,
    note: HOSTILE.repeat(200),
    explanation: 'x'.repeat(100_000),
    request: HOSTILE.repeat(2_000),
    answer: '中'.repeat(100_000),
  })
  const { pages } = await render({
    title: HOSTILE.repeat(20),
    subject: 'w'.repeat(5_000),
    facts: [[HOSTILE, url]],
    counts: { CRITICAL: 1_000_000, HIGH: 1, MEDIUM: 0, LOW: 0 },
    categories: [{ name: HOSTILE, counts: none }],
    outcomes: [{ label: HOSTILE, count: 1, tone: 'bad' }],
    trend: [
      { label: HOSTILE, counts: none },
      { label: '', counts: { ...none, LOW: 1_000_000 } },
    ],
    weaknesses: [
      weakness({
        name: HOSTILE.repeat(50),
        impact: 'y'.repeat(100_000),
        remediation: `${'# '.repeat(5_000)}\n\`\`\`\n${'z\n'.repeat(9_000)}`,
        findings: [bad],
      }),
      weakness({
        name: '\u202e',
        description: '',
        impact: '',
        remediation: '',
        links: [],
        owasp: [],
        cwe: [],
        findings: [finding({ request: '', answer: '' })],
      }),
    ],
    tested: [{ method: 'GET', url, tests: 1, vulnerable: 1, passed: 0, leftOut: 0 }],
    testedTotal: 100_000,
  })
  expect(pages).toBeLessThan(20)
})
