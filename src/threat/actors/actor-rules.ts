import { createHmac } from 'node:crypto'
import { remembered } from '../../kit/index.ts'
import { shortPattern } from '../../kit/short-pattern.ts'
import { addressMatcher, canonicalAddress, PRIVATE_RANGES } from './address.ts'
import { openCountries } from './country-source.ts'
import type { ActorRules } from './find-actor.ts'

/** A header that names the actor, on the hosts that a pattern is found in. */
export interface HeaderActorSetup {
  readonly header: string
  /** RE2 syntax, found anywhere in the host in lower case. */
  readonly hostPattern: string
}

/** How actors are found, as plain data that can go to another thread. */
export interface ActorSetup {
  /** Addresses and ranges of proxies whose forwarding headers are believed. */
  readonly trustedProxies: readonly string[]
  /** Whether private addresses are believed too. */
  readonly trustsPrivate: boolean
  /** Lower case; empty for {@link DEFAULT_ACTOR_HEADERS}. */
  readonly forwardingHeaders: readonly string[]
  readonly headerRules: readonly HeaderActorSetup[]
  /** Key in hex under which values of headers are hashed; the same on every process of a store. */
  readonly hashKey: string
  /** Null for the database that comes with the product. */
  readonly countryFile: string | null
}

/** Addresses that are remembered to be trusted or not. */
const MAX_REMEMBERED = 8_192

/** Headers that proxies append the address of their peer to. */
const DEFAULT_ACTOR_HEADERS = ['x-forwarded-for', 'forwarded'] as const

/**
 * Makes the rules by which `findActor` goes. Reads the file of countries.
 *
 * @throws Failure COUNTRY_FILE_UNREADABLE
 */
export function actorRules(setup: ActorSetup): ActorRules {
  return {
    isTrusted: trustedBy(setup),
    forwardingHeaders: setup.forwardingHeaders.length === 0 ? DEFAULT_ACTOR_HEADERS : setup.forwardingHeaders,
    headerRules: setup.headerRules.map(({ header, hostPattern }) => ({
      header: header.toLowerCase(),
      fitsHost: shortPattern(hostPattern).test,
    })),
    hashOf: hasher(setup.hashKey),
    countryOf: openCountries(setup.countryFile),
  }
}

/** Whether forwarding headers of an address are believed. */
export function trustedBy({
  trustedProxies,
  trustsPrivate,
}: Pick<ActorSetup, 'trustedProxies' | 'trustsPrivate'>): (address: string) => boolean {
  const matches = addressMatcher([...(trustsPrivate ? PRIVATE_RANGES : []), ...trustedProxies])
  return remembered((address) => matches(canonicalAddress(address)), MAX_REMEMBERED)
}

function hasher(hexKey: string): (value: string) => string {
  const key = Buffer.from(hexKey, 'hex')
  return (value) => createHmac('sha256', key).update(value).digest('hex')
}

/** Whether a text is a pattern that hosts can be searched for. */
export function isHostPattern(pattern: string): boolean {
  try {
    shortPattern(pattern)
    return true
  } catch {
    return false // the exception says that it is none
  }
}
