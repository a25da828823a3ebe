import { isIP } from 'node:net'
import { absoluteUrl, type Exchange } from '../../http/index.ts'
import type { AuditEntry } from '../../http/sender/index.ts'
import type { Sealer } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import {
  type CallbackPort,
  type EndpointKey,
  type FlowPlayer,
  type OneTimeCodes,
  probePaths,
  type RunMaterial,
  type SampleShelf,
  type SigningKeys,
} from '../../testing/index.ts'

/** What executing needs of the installation. */
export interface RunDeps {
  readonly store: Store
  readonly sealer: Sealer
  readonly keys: SigningKeys
  readonly callback: CallbackPort | null
  /** Listeners of this installation, `address:port`. */
  readonly own: readonly string[]
  /** Hosts and ranges that the operator allows beside those of the endpoints. */
  readonly allowed: readonly string[]
  readonly audit: (entry: AuditEntry) => void
  /** Whether certificates of targets must be valid. */
  readonly verifiesTls: boolean
  /** Requests a minute and host of one run; 0 sets no limit. */
  readonly requestsPerMinute: number
  /** Plays recorded logins; null where nothing does. */
  readonly player: FlowPlayer | null
  readonly oneTimeCode: OneTimeCodes
  /** Logs once each why a role of an execution cannot act, with its run. */
  readonly note: (runId: string, summaryId: string, problem: string) => void
}

/** Hosts that the samples of endpoints were recorded at. */
export function hostsOf(endpoints: readonly EndpointKey[], samples: SampleShelf): Set<string> {
  const hosts = new Set<string>()
  for (const endpoint of endpoints) {
    const sample = samples.of(endpoint)
    if (sample === null) continue
    const url = absoluteUrl(sample.request)
    if (URL.canParse(url)) hosts.add(new URL(url).host)
  }
  return hosts
}

/** Asks every host for pages that nobody made; a host that does not answer is found out by its tests. */
export async function learnDefaultPages(material: RunMaterial, signal: AbortSignal): Promise<void> {
  const origins = new Set(
    material.samples.all().flatMap((sample: Exchange) => {
      const url = absoluteUrl(sample.request)
      return URL.canParse(url) ? [new URL(url).origin] : []
    }),
  )
  for (const origin of origins) {
    const paths = probePaths(() => Math.random().toString(36).slice(2, 14))
    const answers = await Promise.allSettled(
      paths.map((path) =>
        material.sender.send(
          { method: 'GET', url: origin + path, headers: [], body: null },
          { followRedirects: true, signal, purpose: { ...material.purpose, kind: 'probe' } },
        ),
      ),
    )
    const read = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.response] : []))
    material.defaultPages.learn(new URL(origin).host, read)
  }
}

/** `address:port` of a listener that is bound to all addresses as well as to one. */
export function ownListeners(host: string, port: number): string[] {
  const loopback = ['127.0.0.1', '::1'].map((address) => `${address}:${port}`)
  return isIP(host) === 0 || loopback.includes(`${host}:${port}`)
    ? loopback
    : [...loopback, `${host}:${port}`]
}
