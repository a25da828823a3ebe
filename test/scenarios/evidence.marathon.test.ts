import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { replay as replayCommand } from '../../src/cli/replay.ts'
import type { EvidenceFile } from '../../src/testing/index.ts'
import { readEvidenceFile, replay } from '../../src/testing/index.ts'
import { runCli } from '../cli-process.ts'
import { joinPerson, signUpPerson, startTestServer, type TestServer } from '../harness.ts'
import { type Score, scoreMarket } from '../scorecard/score-market.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'

let server: TestServer
let scratch: string
let score: Score
let findings: { hexId: string; testSubType: string; apiInfoKey: { url: string } }[]

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'vigil-evidence-'))
  server = await startTestServer()
  score = await scoreMarket(vigilOf(server), 'all')
  const page = await vigilOf(server).call('fetchTestingRunResults', {
    testingRunResultSummaryHexId: score.summaryId,
    queryMode: 'VULNERABLE',
    sortKey: 'time',
    sortOrder: 1,
    limit: 1000,
    skip: 0,
    queryValue: '',
  })
  findings = page['testingRunResults'] as typeof findings
}, 300_000)
afterAll(async () => {
  await server.close()
  rmSync(scratch, { recursive: true, force: true })
})

async function exported(id: string, unmasked = false): Promise<EvidenceFile> {
  const { evidence } = await vigilOf(server).call('exportTestResultEvidence', {
    testingRunResultHexId: id,
    unmasked,
  })
  return evidence as EvidenceFile
}

function judge(file: EvidenceFile): ReturnType<typeof replay> {
  const { result, evidence, templates } = file
  return replay({ testId: result.testId, endpoint: result.endpoint, evidence, templates })
}

/** Code of the command for a file with this text. */
async function codeFor(text: string): Promise<number> {
  const path = join(scratch, 'file.json')
  writeFileSync(path, text)
  return replayCommand.run([path])
}

test('every weakness of the market is found, becomes an issue, and its evidence holds no secret', async () => {
  expect(score.state).toBe('COMPLETED')
  expect(score.missed).toEqual([])
  const { openIssuesCount } = await vigilOf(server).call('fetchAllIssues', {
    filterSubCategory: [],
    activeCollections: true,
    sortKey: 'severity',
    sortOrder: -1,
    limit: 1000,
    skip: 0,
    filterStatus: ['OPEN'],
    startEpoch: 0,
    endTimeStamp: 0,
  })
  expect(openIssuesCount).toBe(score.outcomes['vulnerable'])
  const { hexId } = findings.find(({ testSubType }) => testSubType === 'BOLA_READ')!
  const details = await vigilOf(server).call('fetchTestRunResultDetails', { testingRunResultHexId: hexId })
  expect(JSON.stringify(details)).not.toMatch(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{20,}/)
})

test('every finding of a run on the market is judged the same again from its masked file', async () => {
  expect(findings.length).toBeGreaterThan(30)
  const verdicts: string[] = []
  for (const { hexId, testSubType } of findings) {
    const file = await exported(hexId)
    expect([testSubType, file.cannotBeJudged]).toEqual([testSubType, ''])
    expect(file.isMasked).toBe(true)
    const text = JSON.stringify(file)
    expect(text).not.toMatch(/-Passw0rd"?,"authorization/)
    expect(readEvidenceFile(text).isEdited).toBe(false)
    verdicts.push(`${testSubType} ${(await judge(file)).outcome}`)
  }
  expect(verdicts).toEqual(findings.map(({ testSubType }) => `${testSubType} VULNERABLE`))
})

describe('a file', () => {
  async function objectFinding(): Promise<string> {
    return findings.find(
      ({ testSubType, apiInfoKey }) =>
        testSubType === 'BOLA_READ' && apiInfoKey.url.endsWith('/api/v2/orders/INTEGER'),
    )!.hexId
  }

  test('is saved by the command, and judged without the server', async () => {
    const id = await objectFinding()
    const path = join(scratch, 'finding.json')
    const saved = await runCli([
      'evidence',
      id,
      '--out',
      path,
      '--server',
      server.baseUrl,
      '--key',
      'testkeytestkeytestkeytestkeytestkeytestk',
    ])
    expect([saved.code, saved.stdout]).toEqual([0, `${path}\n`])
    const judged = await runCli(['replay', path])
    expect(judged.code).toBe(0)
    expect(judged.stdout).toContain('The verdict is the same.')
    expect(readFileSync(path, 'utf8')).not.toMatch(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{20,}/)
  })

  test('with a fabricated answer comes to another verdict', async () => {
    const file = await exported(await objectFinding())
    const attempts = file.evidence.attempts.map((attempt) => ({
      ...attempt,
      exchange: { ...attempt.exchange, response: { ...attempt.exchange.response, status: 403, body: '{}' } },
    }))
    const forged = { ...file, evidence: { ...file.evidence, attempts } }
    expect((await judge(forged)).outcome).toBe('ATTACKER_NOT_PROVEN')
    expect(await codeFor(JSON.stringify(forged))).toBe(1)
  })

  test('whose control was made to answer like the attempt is unconfirmed', async () => {
    const file = await exported(await objectFinding())
    const control = file.evidence.control!
    const { response } = file.evidence.attempts.at(-1)!.exchange
    const answered = { ...control.attempt!, exchange: { ...control.attempt!.exchange, response } }
    const forged = { ...file, evidence: { ...file.evidence, control: { ...control, attempt: answered } } }
    expect((await judge(forged)).outcome).toBe('UNCONFIRMED')
  })

  test('changed in a detail that decides nothing is still told from the exported one', async () => {
    const file = await exported(await objectFinding())
    expect(await codeFor(JSON.stringify(file))).toBe(0)
    expect(await codeFor(JSON.stringify({ ...file, exportedAt: 1 }))).toBe(1)
  })

  test('that is cut, foreign, of another version, or hostile cannot be read', async () => {
    const file = await exported(await objectFinding())
    const text = JSON.stringify(file)
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const bad = [
      '',
      text.slice(0, text.length / 2),
      '[]',
      '{"format":"other"}',
      JSON.stringify({ ...file, version: 2 }),
      JSON.stringify({ ...file, evidence: null }),
      JSON.stringify({ ...file, templates: {} }),
      JSON.stringify({ ...file, evidence: { ...file.evidence, attempts: [{}] } }),
      JSON.stringify({ ...file, evidence: { ...file.evidence, tape: null } }),
      text.replace(
        '"sends":[',
        '"sends":[{"exchange":{"attempt":99},"responseTimeMs":1,"isTruncated":false,"isDefaultPage":false},',
      ),
      text.replace(/"selection":null/, `"selection":${deep}`).replace('"isMasked":true', '"isMasked":7'),
    ]
    for (const one of bad) expect([one.slice(0, 60), await codeFor(one)]).toEqual([one.slice(0, 60), 2])
  })
})

test('secrets are shown only to administrators, and that is logged', async () => {
  const id = findings.find(({ testSubType }) => testSubType === 'BOLA_READ')!.hexId
  const admin = await signUpPerson(server, 'ada@example.org')
  const member = await joinPerson(server, admin, 'bob@example.org', 'MEMBER')
  const asked = { testingRunResultHexId: id, unmasked: true }
  expect((await member.call('exportTestResultEvidence', asked)).status).toBe(403)
  const answer = await admin.call('exportTestResultEvidence', asked)
  expect(answer.status).toBe(200)
  const { evidence } = (await answer.json()) as { evidence: EvidenceFile }
  expect(JSON.stringify(evidence.evidence.attempts)).toMatch(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{20,}/)
  expect((await judge(evidence)).outcome).toBe('VULNERABLE')
  expect(server.logText()).toContain('"event":"evidence.unmasked"')
})
