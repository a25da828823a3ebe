import { isIPv6 } from 'node:net'

/** The network that limits count: an IPv4 address, or the /64 of an IPv6 address, which is what one customer has. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  if (address.startsWith('::ffff:')) return address.slice('::ffff:'.length)
  const [head = '', tail] = address.split('::')
  const front = head.split(':').filter((part) => part !== '')
  if (tail !== undefined) while (front.length < 4) front.push('0')
  return front.slice(0, 4).join(':')
}
