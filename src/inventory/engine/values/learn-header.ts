import type { ScannedRequest, ScannedResponse } from '../../../http/index.ts'
import type { EndpointState, KeyNode, KeyTree } from '../state/index.ts'
import { type LearningContext, learnText, learnValue } from './value-types.ts'

/** Cookies of one header that are learned; a browser sends at most some dozens. */
const MAX_COOKIES = 100

/**
 * Learns the header at a position of a message that was read in place: a value is cut out only when it is looked at. Returns
 * its node unless it is learned separately or not at all.
 */
export function learnScannedHeader(
  endpoint: EndpointState,
  tree: KeyTree,
  message: ScannedRequest | ScannedResponse,
  position: number,
  context: LearningContext,
): KeyNode | null {
  const name = message.layout.lower[position]!
  if (name === 'cookie' && !tree.isResponse) learnCookies(endpoint, message.headerAt(position), context)
  else if (name === 'set-cookie' && tree.isResponse) learnSetCookie(tree, message.headerAt(position), context)
  else {
    const node = tree.childAt(tree.root, position, name)
    if (node === null) return null
    const { scanner } = message.scanned()
    const start = scanner.valueStart(message.firstHeader, position)
    const end = scanner.valueEnd(message.firstHeader, position)
    const location = tree.isResponse ? 'RESPONSE_HEADER' : 'REQUEST_HEADER'
    learnText(tree, node, scanner, start, end, location, context)
    return node
  }
  return null
}

/** The cookie that a Set-Cookie header sets is one parameter; its attributes are not parameters (RFC 6265 section 4.1). */
export function learnSetCookie(tree: KeyTree, header: string, context: LearningContext): void {
  const semicolon = header.indexOf(';')
  const end = semicolon < 0 ? header.length : semicolon
  const equals = header.indexOf('=')
  const isPair = equals > 0 && equals < end
  const node = tree.child(tree.root, isPair ? `set-cookie#${header.slice(0, equals).trim()}` : 'set-cookie')
  if (node) learnValue(tree, node, header.slice(isPair ? equals + 1 : 0, end).trim(), 'SET_COOKIE', context)
}

/** Learns the cookies of a Cookie header, split at ';' (RFC 6265 section 4.2.1). */
export function learnCookies(endpoint: EndpointState, header: string, context: LearningContext): void {
  const tree = endpoint.tree('COOKIE', -1)
  let at = 0
  for (let count = 0; at < header.length && count < MAX_COOKIES; count++) {
    let end = header.indexOf(';', at)
    if (end < 0) end = header.length
    const equals = header.indexOf('=', at)
    if (equals > at && equals < end) {
      const node = tree.child(tree.root, header.slice(at, equals).trim())
      if (node) learnValue(tree, node, header.slice(equals + 1, end).trim(), 'COOKIE', context)
    }
    at = end + 1
  }
}
