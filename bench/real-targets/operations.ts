/** Operations of an OpenAPI or Swagger document, as `METHOD /path/{parameter}` below its base path. */
export function operationsOf(document: unknown): string[] {
  const {
    paths = {},
    basePath = '',
    servers = [],
  } = document as {
    paths?: Record<string, Record<string, unknown>>
    basePath?: string
    servers?: { url: string }[]
  }
  const base = basePath || pathOf(servers[0]?.url ?? '')
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => METHODS.has(method))
      .map((method) => `${method.toUpperCase()} ${base.replace(/\/$/, '')}${path}`),
  )
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options'])

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url
}

/** An operation with nameless parameters, so that those of documents, inventories and judgements compare. */
export function nameless(operation: string): string {
  const [method = '', path = ''] = operation.split(' ')
  const segments = path
    .replace(/\?.*$/, '')
    .replace(/(.)\/$/, '$1')
    .split('/')
    .map((segment) => (/^(?:\{.*\}|:.+|<.+>|INTEGER|FLOAT|STRING|OBJECT_ID)$/.test(segment) ? '{}' : segment))
  return `${method} ${segments.join('/')}`
}

/** @returns whether `text` fits a pattern in which `*` stands for any characters */
export function fits(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text)
}
