import { type LiveExchange, requestHeaderOf, requestHeadersOf } from '../../http/index.ts'
import { canonicalAddress } from './address.ts'

/** Who sent a message. */
export interface FoundActor {
  /** The address, or `<header>:<keyed hash>…<hint>` where a rule takes a header; what people see and block. */
  readonly id: string
  /** Source address; '' when unknown. */
  readonly ip: string
  /** Country of the address in two letters; '' when unknown. */
  readonly country: string
}

/** Takes the value of a header as the actor, on hosts that fit. */
interface HeaderActorRule {
  /** Whether the rule is for this host, given in lower case. */
  readonly fitsHost: (host: string) => boolean
  /** Lower case. */
  readonly header: string
}

/** How actors are found; made by `actorRules`. */
export interface ActorRules {
  /** Whether forwarding headers of this address are believed. */
  readonly isTrusted: (address: string) => boolean
  /** Headers with client addresses in lower case; the first one that is there is walked from the right. */
  readonly forwardingHeaders: readonly string[]
  /** The first that fits the host decides; without its header the address does. */
  readonly headerRules: readonly HeaderActorRule[]
  /** Keyed hash of a header's value in hex, so that the value itself is never stored. */
  readonly hashOf: (value: string) => string
  /** Two letters; '' when unknown. */
  readonly countryOf: (address: string) => string
}

/** Addresses of one chain that are looked at; a longer one is not a chain of proxies. */
const MAX_HOPS = 30
const HASH_DIGITS = 16
const HINT = 4
/** A value as short as this would be given away by its hint. */
const LEAST_HINTED = 12

/**
 * Who sent a message, or null when neither an address nor a header says it: then nothing is charged to anybody.
 * Forwarding headers count only when the connection comes from a trusted proxy, or when the collector did not see
 * the connection; the right-most address that is not a trusted proxy wins, for what stands left of it may be forged.
 */
export function findActor(exchange: LiveExchange, rules: ActorRules): FoundActor | null {
  const ip = addressOf(exchange, rules)
  const country = ip === '' ? '' : rules.countryOf(ip)
  const named = headerActor(exchange, rules)
  if (named !== null) return { id: named, ip, country }
  return ip === '' ? null : { id: ip, ip, country }
}

function addressOf(exchange: LiveExchange, rules: ActorRules): string {
  const peer = canonicalAddress(exchange.clientIp)
  if (peer !== '' && !rules.isTrusted(peer)) return peer
  for (const header of rules.forwardingHeaders) {
    const chain = chainOf(requestHeadersOf(exchange, header), header)
    if (chain.length === 0) continue
    return chain.findLast((address) => !rules.isTrusted(address)) ?? chain[0]!
  }
  return peer
}

/** Addresses of a forwarding header, the nearest proxy last. What stands left of a text that is not an address is not believed. */
function chainOf(values: readonly string[], header: string): string[] {
  const parts = values.join(',').split(',').slice(-MAX_HOPS)
  const chain: string[] = []
  for (const part of parts.toReversed()) {
    const address = canonicalAddress(header === 'forwarded' ? forParameter(part) : part)
    if (address === '') break
    chain.unshift(address)
  }
  return chain
}

/** The `for` parameter of one element of a Forwarded header (RFC 7239 section 4). */
function forParameter(element: string): string {
  for (const pair of element.split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim().toLowerCase() === 'for') return pair.slice(equals + 1)
  }
  return ''
}

function headerActor(exchange: LiveExchange, rules: ActorRules): string | null {
  if (rules.headerRules.length === 0) return null
  const host = (requestHeaderOf(exchange, 'host') ?? '').trim().toLowerCase()
  const rule = rules.headerRules.find(({ fitsHost }) => fitsHost(host))
  const value = rule && requestHeaderOf(exchange, rule.header)?.trim()
  if (!rule || !value) return null
  const hint = value.length < LEAST_HINTED ? '' : `…${printable(value.slice(-HINT))}`
  return `${rule.header}:${rules.hashOf(value).slice(0, HASH_DIGITS)}${hint}`
}

/** Only what is harmless in a list, a file and a log. */
function printable(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, '_')
}
