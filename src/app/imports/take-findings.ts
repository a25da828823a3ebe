import { type Exchange, writeSampleMessage } from '../../http/index.ts'
import type { InventoryPort, LocatedEndpoint, Placement } from '../../inventory/index.ts'
import {
  countNotReported,
  type ImportedEvidence,
  keepImportedEvidence,
  keepImportedRules,
  recordOutcomes,
  type TestOutcome,
} from '../../issues/index.ts'
import { nowSeconds } from '../../kit/index.ts'
import { type Store, usingTransaction } from '../../store/index.ts'
import type { ImportedFinding } from '../../traffic/index.ts'
import { maskMessages } from '../message-mask.ts'
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

/**
 * Makes issues of what another scanner reported. Their source is `IMPORT`, so no test run changes them and
 * they change no issue of a run. A report does not say what was tested without a finding, so nothing is fixed by it.
 */
export class FindingsIntake {
  readonly #store: Store
  readonly #inventory: InventoryPort
  readonly #importId: string
  readonly #placement: Placement
  readonly #collections = new Set<number>()
  readonly #tools = new Set<string>()

  constructor(
    deps: { readonly store: Store; readonly inventory: InventoryPort },
    importId: string,
    placement: Placement,
  ) {
    this.#store = deps.store
    this.#inventory = deps.inventory
    this.#importId = importId
    this.#placement = placement
    if ('collectionId' in placement) this.#collections.add(placement.collectionId)
  }

  /** The one collection that everything went to; null when there are several, or none. */
  get collectionId(): number | null {
    const [only] = this.#collections
    return this.#collections.size === 1 ? only! : null
  }

  /** Takes some findings, and notes in the ledger what became of each. */
  async take(findings: readonly ImportedFinding[], ledger: ImportLedger): Promise<void> {
    if (findings.length === 0) return
    const located = await this.#inventory.locate(
      findings.map(({ method, url, at }) => ({ method, url, at })),
      this.#placement,
      'OTHER',
    )
    const reported = new Map<string, Reported>()
    for (const [i, finding] of findings.entries()) {
      const endpoint = located[i]!
      if ('reason' in endpoint) ledger.noteFinding(finding, 'SKIPPED', [endpoint.reason])
      else addTo(reported, finding, endpoint)
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
    for (const tool of this.#tools) {
      const collectionIds = [...this.#collections]
      const count = await countNotReported(this.#store, { importId: this.#importId, tool, collectionIds })
      if (count > 0)
        remarks.push(
          `${count} open issues that ${tool} reported earlier are not in this file. They stay open, because a report does not say what was tested: set their status when they are fixed`,
        )
    }
    return remarks
  }

  async #write(groups: readonly Reported[]): Promise<Effects> {
    if (groups.length === 0) return []
    const evidence = new Map<string, ImportedEvidence[]>()
    for (const group of groups) evidence.set(group.key, await evidenceOf(this.#store, group))
    const rules = new Map(groups.map(({ findings: [first] }) => [first!.rule.id, first!.rule]))
    return usingTransaction(this.#store.pool, async (client) => {
      const kept = [...rules.values()].map((rule) => ({ ...rule, category: categoryOfCwe(rule.cwe) }))
      await keepImportedRules(client, kept, nowSeconds())
      const effects = await recordOutcomes(client, groups.map(outcomeFor), true)
      const byKey = new Map(groups.map((group) => [group.key, group]))
      const entries = effects.map(({ resultId, issueId }) => {
        const { findings } = byKey.get(resultId)!
        const foundAt = Math.max(...findings.map(({ at }) => at))
        return { issueId, tool: findings[0]!.rule.tool, foundAt, evidence: evidence.get(resultId)! }
      })
      await keepImportedEvidence(client, this.#importId, entries)
      return effects
    })
  }
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

/** What is kept of each place, masked. */
async function evidenceOf(store: Store, { findings }: Reported): Promise<ImportedEvidence[]> {
  const masked = await maskMessages(
    store,
    findings.map((finding) => ({
      message: writeSampleMessage(shortened(finding.exchange ?? bareExchange(finding))),
      phrases: finding.notes.map(([, text]) => text),
    })),
  )
  return findings.map(({ part, notes, exchange }, at) => {
    const { message, phrases } = masked[at]!
    return {
      part,
      explanation: notes.map(([label], i) => `${label}: ${phrases[i]}`).join('\n'),
      message: exchange === null ? null : message,
    }
  })
}

function shortened(exchange: Exchange): Exchange {
  const { request, response } = exchange
  const cut = (body: string): string => body.slice(0, MAX_BODY).toWellFormed()
  return {
    ...exchange,
    request: { ...request, body: cut(request.body) },
    response: { ...response, body: cut(response.body) },
  }
}

/** Of a finding without messages: what it quotes stands where the quotation came from, so that secrets in it are found. */
function bareExchange({ method, url, at, notes }: ImportedFinding): Exchange {
  return {
    request: { method, target: url, version: 'HTTP/1.1', headers: [], body: '' },
    response: { status: 0, reason: '', headers: [], body: notes.map(([, text]) => text).join('\n') },
    at,
    clientIp: '',
    serverIp: '',
    source: 'OTHER',
    direction: 1,
    vxlanId: 0,
  }
}
