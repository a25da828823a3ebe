import {
  type EndpointKey,
  parameterNames,
  parameterSegment,
  templateSegments,
} from '../../../contract/browser.ts'

/** A piece of an endpoint's URL. */
type PathPart =
  | { readonly kind: 'text'; readonly text: string }
  /** `segment` is the place in the path, from 0. */
  | { readonly kind: 'parameter'; readonly name: string; readonly type: string; readonly segment: number }

/** An endpoint's URL for display: the origin of absolute URLs apart from the path. */
interface PathParts {
  readonly origin: string
  readonly parts: readonly PathPart[]
}

function splitOrigin(url: string): { origin: string; path: string } {
  const at = url.indexOf('://')
  if (at === -1) return { origin: '', path: url }
  const slash = url.indexOf('/', at + 3)
  return slash === -1 ? { origin: url, path: '/' } : { origin: url.slice(0, slash), path: url.slice(slash) }
}

/** Cuts a template into text and named parameters; a URL that is not a template stays one text. */
export function pathParts(url: string, isTemplate: boolean): PathParts {
  const { origin, path } = splitOrigin(url)
  if (!isTemplate) return { origin, parts: [{ kind: 'text', text: path }] }
  const names = parameterNames(templateSegments(url))
  const parts: PathPart[] = []
  let text = ''
  path.split('/').forEach((segment, at) => {
    const separator = at === 0 ? '' : '/'
    const name = names.get(at - 1)
    if (name === undefined) {
      text += separator + segment
      return
    }
    const { type, suffix } = parameterSegment(segment)!
    parts.push({ kind: 'text', text: text + separator })
    parts.push({ kind: 'parameter', name, type, segment: at - 1 })
    text = suffix
  })
  if (text !== '') parts.push({ kind: 'text', text })
  return { origin, parts }
}

/** Method and path of an endpoint as text: `GET /orders/{orderId}`. */
export function endpointLabel(
  { method, url }: Pick<EndpointKey, 'method' | 'url'>,
  isTemplate = true,
): string {
  const { origin, parts } = pathParts(url, isTemplate)
  const path = parts.map((part) => (part.kind === 'text' ? part.text : `{${part.name}}`)).join('')
  return `${method} ${origin}${path}`
}
