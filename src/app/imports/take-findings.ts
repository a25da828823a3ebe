import { type Exchange, writeSampleMessage } from '../../http/index.ts'
import type { InventoryPort, LocatedEndpoint, Placement } from '../../inventory/index.ts'
import {
  countNotReported,
  type ImportedEvidence,
  keepImportedEvidence,
  keepImportedRules,
  MAX_EVIDENCE,
  recordOutcomes,
  type TestOutcome,
} from '../../issues/index.ts'
import { nowSeconds } from '../../kit/index.ts'
import { type Store, usingTransaction } from '../../store/index.ts'
import type { ImportedFinding } from '../../traffic/index.ts'
import type { FoundMessage } from '../message-mask.ts'
import type { TestRuns } from '../test-runs/test-runs.ts'
import { categoryOfCwe } from './category-of-cwe.ts'
import type { ImportLedger } from './import-rows.ts'

/** Characters of each body that are kept as evidence. */
const MAX_BODY = 65_536

type Effects = Awaited<ReturnType<typeof recordOutcomes>>

/** Places of one rule on one endpoint: one issue. */
interface Reported {
  readonly key: string
  readonly endpoint: Exclude<LocatedEndpoint, { reason: string }>
  readonly findings: ImportedFinding[]
}

interface FindingsImport {
  readonly importId: string
  readonly placement: Placement
  /** Whether texts of rules that are known already are replaced. */
  readonly mayReword: boolean
}

/**
 * Makes issues of what another scanner reported. Their source is `IMPORT`, so no test run changes them and
 * they change no issue of a run. A report does not say what was tested without a finding, so nothing is fixed by it.
 */
export class FindingsIntake {
  readonly #store: Store
  readonly #inventory: InventoryPort
  readonly #testRuns: TestRuns
  readonly #import: FindingsImport
  /** Places that are kept as evidence, by the key of their issue. */
  readonly #kept = new Map<string, number>()
  readonly #issueIds = new Set<number>()
  readonly #collections = new Set<number>()
  /** Hosts of what was taken. */
  readonly #hosts = new Set<string>()
  readonly #tools = new Set<string>()

  constructor(
    deps: { readonly store: Store; readonly inventory: InventoryPort; readonly testRuns: TestRuns },
    { placement, ...rest }: FindingsImport,
  ) {
    this.#store = deps.store
    this.#inventory = deps.inventory
    this.#testRuns = deps.testRuns
    this.#import = { placement, ...rest }
    if ('collectionId' in placement) this.#collections.add(placement.collectionId)
  }

  /** The collection that every row of the file is about; null when there are several, or a row is of another host. */
  collectionOf({ rows }: ImportLedger): number | null {
    const { placement } = this.#import
    if ('collectionId' in placement) return placement.collectionId
    const [only] = this.#collections
    const isOfOne = this.#collections.size === 1 && rows.every(({ what }) => this.#hosts.has(hostIn(what)))
    return isOfOne ? only! : null
  }

  /** Takes some findings, and notes in the ledger what became of each. */
  async take(findings: readonly ImportedFinding[], ledger: ImportLedger): Promise<void> {
    if (findings.length === 0) return
    const located = await this.#inventory.locate(
      findings.map(({ method, url, at }) => ({ method, url, at })),
      this.#import.placement,
      'OTHER',
    )
    const reported = new Map<string, Reported>()
    for (const [i, finding] of findings.entries()) {
      const endpoint = located[i]!
      if ('reason' in endpoint) ledger.noteFinding(finding, 'SKIPPED', [endpoint.reason])
      else {
        addTo(reported, finding, endpoint)
        this.#hosts.add(hostIn(finding.what))
      }
    }
    const groups = [...reported.values()]
    for (const { endpoint, findings } of groups) {
      this.#collections.add(endpoint.collectionId)
      this.#tools.add(findings[0]!.rule.tool)
    }
    const effects = await this.#write(groups)
    const byKey = new Map(effects.map((effect) => [effect.resultId, effect]))
    for (const { key, findings } of groups)
      for (const finding of findings) ledger.noteFinding(finding, ...outcomeOf(byKey.get(key)))
  }

  /** What is to be said of the file as a whole. */
  async remarks(): Promise<string[]> {
    const remarks: string[] = []
    const but = [...this.#issueIds]
    for (const tool of this.#tools) {
      const collectionIds = [...this.#collections]
      const count = await countNotReported(this.#store, { but, tool, collectionIds })
      if (count > 0)
        remarks.push(
          `${count} open issues that ${tool} reported earlier are not in this file. They stay open, because a report does not say what was tested: set their status when they are fixed`,
        )
    }
    return remarks
  }

  async #write(groups: readonly Reported[]): Promise<Effects> {
    if (groups.length === 0) return []
    const evidence = await this.#evidenceOf(groups)
    const rules = new Map(groups.map(({ findings: [first] }) => [first!.rule.id, first!.rule]))
    return usingTransaction(this.#store.pool, async (client) => {
      const kept = [...rules.values()].map((rule) => ({ ...rule, category: categoryOfCwe(rule.cwe) }))
      await keepImportedRules(client, kept, { at: nowSeconds(), mayReword: this.#import.mayReword })
      const effects = await recordOutcomes(client, groups.map(outcomeFor), true)
      for (const { issueId } of effects) this.#issueIds.add(issueId)
      const byKey = new Map(groups.map((group) => [group.key, group]))
      const entries = effects.map(({ resultId, issueId }) => {
        const { findings } = byKey.get(resultId)!
        const foundAt = Math.max(...findings.map(({ at }) => at))
        return { issueId, tool: findings[0]!.rule.tool, foundAt, evidence: evidence.get(resultId)! }
      })
      await keepImportedEvidence(client, this.#import.importId, entries)
      return effects
    })
  }

  /** What is kept of the first places of each issue, masked. */
  async #evidenceOf(groups: readonly Reported[]): Promise<Map<string, ImportedEvidence[]>> {
    const shown = groups.flatMap(({ key, findings }) => {
      const kept = this.#kept.get(key) ?? 0
      const added = findings.slice(0, MAX_EVIDENCE - kept)
      this.#kept.set(key, kept + added.length)
      return added.map((finding) => ({ key, finding }))
    })
    const messages = shown.map(({ finding }) => foundMessage(finding))
    const masked = messages.length === 0 ? [] : await this.#testRuns.maskMessages(messages, MAX_BODY)
    const evidence = new Map(groups.map(({ key }): [string, ImportedEvidence[]] => [key, []]))
    for (const [at, { key, finding }] of shown.entries())
      evidence.get(key)!.push(evidenceFrom(finding, masked[at]!))
    return evidence
  }
}

/** The host of the URL that ends the description of a finding; '' where there is none. */
function hostIn(what: string): string {
  return /https?:\/\/([^/\s]*)\S*$/i.exec(what)?.[1]?.toLowerCase() ?? ''
}

function addTo(
  reported: Map<string, Reported>,
  finding: ImportedFinding,
  endpoint: Reported['endpoint'],
): void {
  const key = JSON.stringify([finding.rule.id, endpoint.collectionId, endpoint.method, endpoint.url])
  const known = reported.get(key)
  if (known === undefined) reported.set(key, { key, endpoint, findings: [finding] })
  else known.findings.push(finding)
}

function outcomeFor({ key, endpoint, findings }: Reported): TestOutcome {
  const { rule, isOfHost, url } = findings[0]!
  const parts = [...new Set(findings.map(({ part }) => part).filter((part) => part !== ''))].sort()
  const cause = isOfHost
    ? { scope: 'host' as const, place: URL.canParse(url) ? new URL(url).host : '' }
    : { scope: parts.length > 0 ? ('parameter' as const) : ('endpoint' as const), place: parts.join(', ') }
  return {
    resultId: key,
    summaryId: null,
    testId: rule.id,
    category: categoryOfCwe(rule.cwe),
    ...endpoint,
    severity: rule.severity,
    verdict: 'VULNERABLE',
    cause: { ...cause, family: '' },
    reason: `${rule.tool} reported it`,
    baselineStatus: null,
    at: Math.max(...findings.map(({ at }) => at)),
  }
}

function outcomeOf(effect: Effects[number] | undefined): ['TAKEN' | 'KNOWN_BEFORE' | 'SKIPPED', string[]] {
  if (effect === undefined) return ['SKIPPED', ['its endpoint was deleted meanwhile']]
  if (effect.change === 'CREATED') return ['TAKEN', []]
  if (effect.change === 'REOPENED') return ['TAKEN', ['the issue was fixed and is open again']]
  if (effect.status === 'IGNORED') return ['KNOWN_BEFORE', ['the issue is ignored']]
  if (effect.status === 'FIXED') return ['KNOWN_BEFORE', ['the issue was fixed after this was found']]
  return ['KNOWN_BEFORE', ['the issue is open already']]
}

function foundMessage(finding: ImportedFinding): FoundMessage {
  return {
    message: writeSampleMessage(finding.exchange ?? bareExchange(finding)),
    phrases: finding.notes.map(([, text]) => text),
  }
}

function evidenceFrom(
  { part, notes, exchange }: ImportedFinding,
  { message, phrases }: FoundMessage,
): ImportedEvidence {
  return {
    part,
    explanation: notes.map(([label], i) => `${label}: ${phrases[i]}`).join('\n'),
    message: exchange === null ? null : message,
  }
}

/** Of a finding without messages: its URL may hold what its notes quote. */
function bareExchange({ method, url, at }: ImportedFinding): Exchange {
  return {
    request: { method, target: url, version: 'HTTP/1.1', headers: [], body: '' },
    response: { status: 0, reason: '', headers: [], body: '' },
    at,
    clientIp: '',
    serverIp: '',
    source: 'OTHER',
    direction: 1,
    vxlanId: 0,
  }
}
