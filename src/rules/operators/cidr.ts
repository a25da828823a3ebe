import { BlockList, isIP } from 'node:net'
import type { Scalar } from '../variables/variables.ts'

/** Ranges of addresses (RFC 4632), ready to be asked; what is not a range is left out. */
export function rangesOf(ranges: readonly Scalar[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) addRange(list, String(range))
  return list
}

/** Whether an address is inside one of the ranges; null when it is not an address. */
export function isInside(address: string, ranges: BlockList): boolean | null {
  const text = address.trim()
  const kind = isIP(text)
  return kind === 0 ? null : ranges.check(text, kind === 4 ? 'ipv4' : 'ipv6')
}

/** Whether a text is a range. */
export function isRange(text: string): boolean {
  return addRange(new BlockList(), text)
}

function addRange(list: BlockList, range: string): boolean {
  const [net, length, ...more] = range.trim().split('/')
  const kind = isIP(net ?? '')
  const bits = Number(length)
  if (kind === 0 || more.length > 0 || !/^\d{1,3}$/.test(length ?? '') || bits > (kind === 4 ? 32 : 128))
    return false
  list.addSubnet(net!, bits, kind === 4 ? 'ipv4' : 'ipv6')
  return true
}
