import type { HeaderLayout, ScannedRequest } from '../../../http/index.ts'
import { isForwardingHeader } from '../../access-type.ts'
import { headerInterest, mayBeToken } from '../../auth-kinds/index.ts'

/** Headers of a layout whose values may hold a credential. */
interface Candidate {
  readonly position: number
  readonly name: string
  readonly isTokenOnly: boolean
}

/** What the names of a layout say once for all of its messages. */
class LayoutFacts {
  readonly candidates: readonly Candidate[]
  /** Positions of headers in which a proxy names the client. */
  readonly forwarding: readonly number[]

  constructor({ lower }: HeaderLayout) {
    this.candidates = lower.flatMap((name, position) => {
      const interest = headerInterest(name)
      return interest === 'NONE' ? [] : [{ position, name, isTokenOnly: interest === 'TOKENS' }]
    })
    this.forwarding = lower.flatMap((name, position) => (isForwardingHeader(name) ? [position] : []))
  }
}

const NO_HEADERS: readonly string[] = Object.freeze([])
const factsByLayout = new WeakMap<HeaderLayout, LayoutFacts>()

function factsOf(layout: HeaderLayout): LayoutFacts {
  let facts = factsByLayout.get(layout)
  if (facts === undefined) {
    facts = new LayoutFacts(layout)
    factsByLayout.set(layout, facts)
  }
  return facts
}

/** The headers of a request that can hold a credential, as a flat list with names in lower case. */
export function credentialHeadersOf(request: ScannedRequest): string[] {
  const { scanner } = request.scanned()
  const list: string[] = []
  for (const { position, name, isTokenOnly } of factsOf(request.layout).candidates) {
    const start = scanner.valueStart(request.firstHeader, position)
    const end = scanner.valueEnd(request.firstHeader, position)
    if (!isTokenOnly || mayBeToken(scanner.bytes, start, end)) list.push(name, scanner.slice(start, end))
  }
  return list
}

/** The headers of a request in which a proxy names the client, as a flat list with names in lower case. */
export function forwardingHeadersOf(request: ScannedRequest): readonly string[] {
  const { forwarding } = factsOf(request.layout)
  if (forwarding.length === 0) return NO_HEADERS
  return forwarding.flatMap((position) => [
    request.layout.lower[position]!,
    request.frequentHeaderAt(position),
  ])
}
