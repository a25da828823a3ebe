import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type { enforcementGaps } from '../../contract/index.ts'
import type { BlockedActor } from './actor-status.ts'

/** Forms in which gateways take the block list. */
export const BLOCK_LIST_FORMATS = ['text', 'json', 'nginx', 'envoy', 'kong'] as const
export type BlockListFormat = (typeof BLOCK_LIST_FORMATS)[number]

/** Name of the file of each form. */
export const BLOCK_LIST_FILES: Readonly<Record<BlockListFormat, string>> = {
  text: 'blocklist.txt',
  json: 'blocklist.json',
  nginx: 'blocklist.nginx.conf',
  envoy: 'blocklist.envoy.yaml',
  kong: 'blocklist.kong.yaml',
}

/** Who is blocked, apart from whom gateways must let through. */
export interface BlockList {
  /** Addresses to refuse, sorted. */
  readonly addresses: readonly string[]
  readonly actors: readonly BlockedActor[]
  /** Blocked addresses that are left out because they belong to trusted proxies: to refuse them would refuse everybody. */
  readonly leftOut: readonly string[]
}

/** The block list of what is blocked now. */
export function makeBlockList(
  actors: readonly BlockedActor[],
  isTrusted: (address: string) => boolean,
): BlockList {
  const addresses = actors.filter(({ isAddress }) => isAddress).map(({ actor }) => actor)
  return {
    addresses: addresses.filter((address) => !isTrusted(address)),
    actors,
    leftOut: addresses.filter(isTrusted),
  }
}

/** Why gateways do not refuse a blocked actor. */
export type EnforcementGap = (typeof enforcementGaps)[number]

/** The reasons in sentences. */
export const GAP_SENTENCES: Readonly<Record<EnforcementGap, string>> = {
  NO_ADDRESS:
    'This is not an IP address, and gateways block only addresses. Your application has to block it.',
  RANGE:
    'This is a range, and the block list holds single addresses. Refuse the range in the gateway itself.',
  TRUSTED_PROXY:
    'This address belongs to a trusted proxy or a private network: to refuse it would refuse everybody behind it.',
  TIME_IS_OVER: 'The time of the block is over already.',
}

const RANGE = /^([0-9a-f.:]+)\/\d{1,3}$/i

/** Why gateways let an actor through that is blocked until then (0: for ever); null when they refuse it. */
export function enforcementGap(
  actor: string,
  until: number,
  now: number,
  isTrusted: (address: string) => boolean,
): EnforcementGap | null {
  if (isIP(actor) === 0) return isIP(RANGE.exec(actor)?.[1] ?? '') === 0 ? 'NO_ADDRESS' : 'RANGE'
  if (isTrusted(actor)) return 'TRUSTED_PROXY'
  return until > 0 && until <= now ? 'TIME_IS_OVER' : null
}

/** Text of the list in one form. The same list gives the same text. */
export function writeBlockList(list: BlockList, format: BlockListFormat): string {
  return WRITERS[format](list)
}

/** Strong entity tag of a text (RFC 9110 section 8.8.3). */
export function entityTag(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
}

const range = (address: string): string => `${address}/${isIP(address) === 6 ? 128 : 32}`

const WRITERS: Readonly<Record<BlockListFormat, (list: BlockList) => string>> = {
  text: ({ addresses }) => addresses.map((address) => `${address}\n`).join(''),
  json: ({ addresses, actors, leftOut }) =>
    `${JSON.stringify(
      {
        addresses,
        leftOut,
        actors: actors.map(({ actor, isAddress, since, until, blockedBy, reason }) => ({
          actor,
          isAddress,
          since,
          until,
          blockedBy,
          reason,
        })),
      },
      null,
      2,
    )}\n`,
  nginx: ({ addresses }) =>
    `# include in http, server or location; reload nginx after a change\n${addresses
      .map((address) => `deny ${address};\n`)
      .join('')}`,
  envoy: ({ addresses }) => envoyFilter(addresses),
  kong: ({ addresses }) => kongPlugin(addresses),
}

/** A filter of Envoy's role based access control that denies these callers, for `http_filters`. */
function envoyFilter(addresses: readonly string[]): string {
  const principals = addresses.map(
    (address) =>
      `            - remote_ip: { address_prefix: "${address}", prefix_len: ${isIP(address) === 6 ? 128 : 32} }\n`,
  )
  const policies =
    principals.length === 0
      ? '      policies: {}\n'
      : `      policies:
        blocked:
          permissions: [{ any: true }]
          principals:
${principals.join('')}`
  return `- name: envoy.filters.http.rbac
  typed_config:
    "@type": type.googleapis.com/envoy.extensions.filters.http.rbac.v3.RBAC
    rules:
      action: DENY
${policies}`
}

/** Kong's plugin ip-restriction in its declarative format; without addresses it is switched off. */
function kongPlugin(addresses: readonly string[]): string {
  if (addresses.length === 0)
    return '_format_version: "3.0"\nplugins:\n  - name: ip-restriction\n    enabled: false\n    config: { deny: ["192.0.2.0/32"] }\n'
  return `_format_version: "3.0"
plugins:
  - name: ip-restriction
    config:
      deny:
${addresses.map((address) => `        - "${range(address)}"\n`).join('')}      status: 403
`
}
