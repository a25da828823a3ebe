import { isMap, parseDocument } from 'yaml'

/** The schema that `vigil init` writes beside the configuration. */
export const CONFIG_SCHEMA_FILE = 'vigil.schema.json'

/** What a file of a scan is made from. */
interface Described {
  readonly title: string
  /** Address of the API, when the document has one that is not a template. */
  readonly server: string | null
  /** Header with its value for an account, as the document says that callers sign in. */
  readonly header: string
  readonly value: (account: string) => string
}

const UNKNOWN: Described = {
  title: 'the API',
  server: null,
  header: 'Authorization',
  value: (account) => `Bearer \${${account}_TOKEN}`,
}

/** A configuration for `vigil scan`, with what an OpenAPI document tells; other files give the general form. */
export function initialConfig(file: string, text: string): string {
  const { title, server, header, value } = describe(text)
  const quoted = JSON.stringify
  return `# yaml-language-server: $schema=${CONFIG_SCHEMA_FILE}
# vigil scan --config vigil.yaml: tests ${title.replace(/\s+/g, ' ')}. Options of the command line win.
files:
  - ${quoted(file)}

# Where requests go, and nowhere else. Test only what you may test.${server === null ? '' : `\n# The document names ${server.replace(/\s+/g, ' ')}`}
target: http://127.0.0.1:8080

# Who tests act as. \${NAME} is a variable of the environment.
roles:
  USER: # makes the requests under test
    ${header}: ${quoted(value('USER'))}
  ATTACKER: # the attacker: a second, ordinary account, which must not reach what belongs to USER
    ${header}: ${quoted(value('ATTACKER'))}
  # ADMIN:
  #   ${header}: ${quoted(value('ADMIN'))}

# read-only, reversible (only writes that Vigil can undo) or all
write-level: reversible
max-time: 15m
# rate: 20

# critical, high, medium, low, info or none
fail-on: high
# baseline: vigil-baseline.json

reports:
  sarif: vigil.sarif
  markdown: vigil.md
  html: vigil.html
`
}

function describe(text: string): Described {
  const document = parseDocument(text, { logLevel: 'silent' })
  if (document.errors.length > 0 || !isMap(document.contents)) return UNKNOWN
  const tree = document.toJS({ maxAliasCount: 100 }) as Record<string, unknown>
  if (!('openapi' in tree) && !('swagger' in tree)) return UNKNOWN
  const { info, servers, components, securityDefinitions } = tree as {
    info?: { title?: unknown }
    servers?: { url?: unknown }[]
    components?: { securitySchemes?: Record<string, Scheme> }
    securityDefinitions?: Record<string, Scheme>
  }
  const schemes = Object.values(components?.securitySchemes ?? securityDefinitions ?? {})
  const url = Array.isArray(servers) ? servers[0]?.url : undefined
  return {
    ...UNKNOWN,
    ...(typeof info?.title === 'string' ? { title: info.title } : {}),
    server: typeof url === 'string' && /^https?:/.test(url) ? url : null,
    ...credentialOf(schemes),
  }
}

interface Scheme {
  readonly type?: unknown
  readonly scheme?: unknown
  readonly in?: unknown
  readonly name?: unknown
}

function credentialOf(schemes: readonly (Scheme | null)[]): Partial<Described> {
  const isName = (name: unknown): name is string => typeof name === 'string' && /^[\w-]{1,100}$/.test(name)
  const bearer = schemes.some(
    (one) => one?.type === 'oauth2' || String(one?.scheme).toLowerCase() === 'bearer',
  )
  if (bearer) return {}
  const key = schemes.find((one) => one?.type === 'apiKey' && isName(one.name))
  if (key?.in === 'header') return { header: String(key.name), value: (account) => `\${${account}_KEY}` }
  if (key?.in === 'cookie')
    return { header: 'Cookie', value: (account) => `${String(key.name)}=\${${account}_COOKIE}` }
  const basic = schemes.some((one) => one?.type === 'basic' || String(one?.scheme).toLowerCase() === 'basic')
  return basic ? { value: (account) => `Basic \${${account}_BASIC}` } : {}
}
