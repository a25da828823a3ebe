import { BlockList, isIP } from 'node:net'
import { remembered } from '../../kit/index.ts'

/** Ranges of networks that are not the public internet (RFC 1918, RFC 4193, RFC 6598, loopback, link-local). */
export const PRIVATE_RANGES = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
] as const

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i
const WITH_PORT = /^(?:\[([0-9a-f:.%]{2,60})\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/i
const MAX_ADDRESS_TEXT = 100
/** Addresses whose form is remembered. */
const MAX_REMEMBERED = 8_192

/**
 * One form of an address as proxies write it: without port, brackets, quotes and zone, IPv4 inside IPv6 as IPv4, IPv6
 * as RFC 5952 has it. '' when the text is not an address.
 */
export const canonicalAddress = remembered(canonicalForm, MAX_REMEMBERED)

function canonicalForm(text: string): string {
  if (text.length > MAX_ADDRESS_TEXT) return ''
  let bare = text.trim().replace(/^"|"$/g, '')
  const ported = WITH_PORT.exec(bare)
  if (ported !== null) bare = ported[1] ?? ported[2]!
  const zone = bare.indexOf('%')
  if (zone > 0) bare = bare.slice(0, zone)
  const family = isIP(bare)
  if (family === 4) return bare
  if (family !== 6) return ''
  const short = new URL(`http://[${bare}]/`).hostname.slice(1, -1)
  const mapped = MAPPED.exec(bare)
  if (mapped !== null) return mapped[1]!
  const groups = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short)
  return groups === null ? short : dotted(Number.parseInt(groups[1]!, 16), Number.parseInt(groups[2]!, 16))
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Whether an address, in the form of {@link canonicalAddress}, is inside any of the ranges or equal to an address. */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const family = isIP(address)
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}
