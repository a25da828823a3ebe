import type { HeaderLayout, ScannedRequest } from '../../http/index.ts'
import { headerInterest, mayBeToken } from '../auth-kinds/index.ts'

/** Headers of a layout whose values may hold a credential. */
interface Candidate {
  readonly position: number
  readonly name: string
  readonly isTokenOnly: boolean
}

const candidates = new WeakMap<HeaderLayout, readonly Candidate[]>()

function candidatesOf(layout: HeaderLayout): readonly Candidate[] {
  const known = candidates.get(layout)
  if (known !== undefined) return known
  const found: Candidate[] = []
  for (let position = 0; position < layout.lower.length; position++) {
    const name = layout.lower[position]!
    const interest = headerInterest(name)
    if (interest !== 'NONE') found.push({ position, name, isTokenOnly: interest === 'TOKENS' })
  }
  candidates.set(layout, found)
  return found
}

/** The headers of a request that can hold a credential, as a flat list with names in lower case. */
export function credentialHeadersOf(request: ScannedRequest): string[] {
  const { scanner } = request.scanned()
  const list: string[] = []
  for (const { position, name, isTokenOnly } of candidatesOf(request.layout)) {
    const start = scanner.valueStart(request.firstHeader, position)
    const end = scanner.valueEnd(request.firstHeader, position)
    if (!isTokenOnly || mayBeToken(scanner.bytes, start, end)) list.push(name, scanner.slice(start, end))
  }
  return list
}
