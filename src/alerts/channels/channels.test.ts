import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Alert, NewIssues, RunFinished } from '../alert.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import { webhook } from './webhook.ts'

const secrets = { url: 'https://hooks.example/x', headers: { 'x-team': 'shop' }, secret: 'key' }

const ended: RunFinished = {
  event: 'RUN_FINISHED',
  runId: 'r',
  summaryId: 's',
  runName: 'nightly <!channel> *x*',
  state: 'COMPLETED',
  startedAt: 100,
  endedAt: 160,
  endpoints: 3,
  tests: 5,
  results: 15,
  counts: { CRITICAL: 1, HIGH: 0, MEDIUM: 2, LOW: 0 },
  error: null,
}

function alertOf(facts: Alert['facts']): Alert {
  return { id: '697e01aaaabbccddeeff0009', at: 1_769_854_500, facts, link: 'https://vigil.example/runs/r' }
}

function issuesOf(count: number, name = 'Object of another user readable'): NewIssues {
  return {
    event: 'NEW_ISSUES',
    runId: 'r',
    summaryId: 's',
    runName: '',
    counts: { CRITICAL: 0, HIGH: count, MEDIUM: 0, LOW: 0 },
    issues: Array.from({ length: Math.min(count, 10) }, (_none, at) => ({
      severity: 'HIGH' as const,
      name,
      method: 'GET',
      url: `/rest/${at}`,
    })),
  }
}

test('Slack gets blocks with a fallback; outside text cannot mention anybody', () => {
  const { body } = slack.compose(alertOf(ended), secrets)
  const sent = JSON.parse(body) as { text: string; blocks: { type: string; text?: { text: string } }[] }
  expect(sent.blocks.map(({ type }) => type)).toEqual(['header', 'section', 'actions'])
  expect(sent.text).toContain('&lt;!channel&gt;')
  expect(sent.blocks[1]!.text!.text).toBe(
    'Findings: 1 critical, 2 medium\n15 results of 5 tests on 3 endpoints in 60 s',
  )
  expect(body).toContain('https://vigil.example/runs/r')
})

test('hundreds of issues are one bounded message', () => {
  const body = slack.compose(alertOf(issuesOf(400, 'x'.repeat(5_000))), secrets).body
  const sent = JSON.parse(body) as { blocks: { text?: { text: string } }[] }
  expect(sent.blocks[0]!.text!.text).toBe('400 new issues in test run')
  expect(sent.blocks[1]!.text!.text).toContain('and 390 more')
  for (const { text } of sent.blocks) expect(text?.text.length ?? 0).toBeLessThanOrEqual(3_000)
  expect(slack.compose(alertOf(issuesOf(1)), secrets).body).toContain('1 new issue in')
})

test('Teams gets an Adaptive Card whose texts are not markup', () => {
  const sent = JSON.parse(teams.compose(alertOf(ended), secrets).body) as {
    type: string
    attachments: { contentType: string; content: { type: string; body: { text: string }[] } }[]
  }
  expect(sent.type).toBe('message')
  const [card] = sent.attachments
  expect(card!.contentType).toBe('application/vnd.microsoft.card.adaptive')
  expect(card!.content.body[0]!.text).toContain('\\*x\\*')
})

test('a webhook gets every fact, an id, and a signature that its key makes', () => {
  const { headers, body } = webhook.compose(alertOf(ended), secrets)
  const named = Object.fromEntries(
    Array.from({ length: headers.length / 2 }, (_none, at) => [headers[at * 2], headers[at * 2 + 1]]),
  )
  const mac = createHmac('sha256', 'key')
    .update(`697e01aaaabbccddeeff0009.1769854500.${body}`)
    .digest('base64')
  expect(named).toMatchObject({
    'webhook-id': '697e01aaaabbccddeeff0009',
    'webhook-timestamp': '1769854500',
    'webhook-signature': `v1,${mac}`,
    'x-team': 'shop',
  })
  expect(JSON.parse(body)).toMatchObject({ event: 'RUN_FINISHED', data: { counts: { CRITICAL: 1 } } })
  expect(webhook.compose(alertOf(ended), { ...secrets, secret: '' }).headers).not.toContain(
    'webhook-signature',
  )
})
