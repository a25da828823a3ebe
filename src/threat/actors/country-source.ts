import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type CountryResponse, Reader } from 'mmdb-lib'
import { Failure } from '../../kit/index.ts'

/** Addresses whose country is remembered. */
const MAX_REMEMBERED = 20_000
/** A file of addresses larger than this is none of countries. */
const MAX_FILE_BYTES = 256 * 1024 * 1024
const BUNDLED = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'

/**
 * Opens a database of countries by address in the MaxMind format: the operator's own file, or the one that comes with
 * the product (data of the regional registries, in the public domain). The answer is a hint.
 *
 * @param file null for the one that comes with the product; where that was not installed, no country is known
 * @returns two letters of an address, '' when it is unknown
 * @throws Failure COUNTRY_FILE_UNREADABLE
 */
export function openCountries(file: string | null): (address: string) => string {
  const path = file ?? bundledCountries()
  if (path === null) return () => ''
  const reader = openReader(path)
  let known = new Map<string, string>()
  return (address) => {
    const found = known.get(address)
    if (found !== undefined) return found
    const country = countryIn(reader.get(address))
    if (known.size >= MAX_REMEMBERED) known = new Map()
    known.set(address, country)
    return country
  }
}

/** The file that comes with the product; null where that optional package is not installed. */
export function bundledCountries(): string | null {
  try {
    return createRequire(import.meta.url).resolve(BUNDLED)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    return null
  }
}

function openReader(path: string): Reader<CountryResponse> {
  try {
    if (statSync(path).size > MAX_FILE_BYTES) throw new Error('the file is too large')
    return new Reader<CountryResponse>(readFileSync(path))
  } catch (error) {
    throw new Failure('COUNTRY_FILE_UNREADABLE', { path, reason: (error as Error).message }, { cause: error })
  }
}

/** Files of several makers name the country in two ways. */
function countryIn(record: unknown): string {
  if (typeof record !== 'object' || record === null) return ''
  const { country, country_code } = record as { country?: { iso_code?: unknown }; country_code?: unknown }
  const code = country_code ?? country?.iso_code
  return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : ''
}
