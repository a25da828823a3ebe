/** What is known of a format besides how it is read. */
interface ImportFormat {
  /** Its importer, `src/traffic/importers/<importer>.ts`. */
  readonly importer: string
  readonly label: string
  /**
   * Recordings show what was observed, findings what another scanner reported; documents and specifications are kept as
   * they came, and a specification holds no observation.
   */
  readonly kind: 'RECORDING' | 'FINDINGS' | 'DOCUMENT' | 'SPECIFICATION'
  /** Code of the failure of a file of which nothing can be read. */
  readonly unreadable: string
}

/** Formats that can be imported, by their words on the wire. */
export const importFormatTable = {
  HAR: { importer: 'har', label: 'HAR', kind: 'RECORDING', unreadable: 'INVALID_HAR' },
  OPEN_API: { importer: 'openapi', label: 'OpenAPI', kind: 'SPECIFICATION', unreadable: 'INVALID_OPENAPI' },
  POSTMAN: { importer: 'postman', label: 'Postman', kind: 'DOCUMENT', unreadable: 'INVALID_POSTMAN' },
  INSOMNIA: { importer: 'insomnia', label: 'Insomnia', kind: 'DOCUMENT', unreadable: 'INVALID_IMPORT' },
  GRAPHQL: { importer: 'graphql', label: 'GraphQL', kind: 'SPECIFICATION', unreadable: 'INVALID_GRAPHQL' },
  ASYNC_API: { importer: 'asyncapi', label: 'AsyncAPI', kind: 'SPECIFICATION', unreadable: 'INVALID_IMPORT' },
  WSDL: { importer: 'wsdl', label: 'WSDL', kind: 'SPECIFICATION', unreadable: 'INVALID_IMPORT' },
  PROTOBUF: {
    importer: 'protobuf',
    label: 'Protocol Buffers',
    kind: 'SPECIFICATION',
    unreadable: 'INVALID_IMPORT',
  },
  ACCESS_LOG: {
    importer: 'access-log',
    label: 'Access log',
    kind: 'RECORDING',
    unreadable: 'INVALID_IMPORT',
  },
  ZAP: { importer: 'zap', label: 'ZAP report', kind: 'FINDINGS', unreadable: 'INVALID_IMPORT' },
  NUCLEI: { importer: 'nuclei', label: 'nuclei results', kind: 'FINDINGS', unreadable: 'INVALID_IMPORT' },
  BURP_XML: { importer: 'burp-xml', label: 'Burp XML', kind: 'RECORDING', unreadable: 'INVALID_BURP_XML' },
  PCAP: { importer: 'pcap', label: 'Packet capture', kind: 'RECORDING', unreadable: 'INVALID_IMPORT' },
  CURL: { importer: 'curl', label: 'curl', kind: 'RECORDING', unreadable: 'INVALID_IMPORT' },
  RAW_HTTP: { importer: 'raw-http', label: 'Raw HTTP', kind: 'RECORDING', unreadable: 'INVALID_IMPORT' },
  SAMPLE_MESSAGES: {
    importer: 'sample-messages',
    label: 'Sample messages',
    kind: 'RECORDING',
    unreadable: 'INVALID_IMPORT',
  },
} as const satisfies Record<string, ImportFormat>

type ImportFormatWord = keyof typeof importFormatTable

/** Name of an importer, as the command line has it. */
export type ImporterName = (typeof importFormatTable)[ImportFormatWord]['importer']

/** Words of the formats on the wire. */
export const importFormats = Object.keys(importFormatTable) as readonly ImportFormatWord[]

/** The word on the wire for the format of an importer. */
export function formatOfImporter(importer: ImporterName): ImportFormatWord {
  return importFormats.find((format) => importFormatTable[format].importer === importer)!
}

/** What a format holds; see {@link ImportFormat}. */
export function kindOfImporter(importer: ImporterName): ImportFormat['kind'] {
  return importFormatTable[formatOfImporter(importer)].kind
}

/** Ends the reason why an informational finding is skipped: a file of only those is one without findings. */
export const ONLY_SEVERITIES = 'only findings from low to critical become issues'

/** What an access log can tell of a request. */
export const accessLogFields = [
  'request',
  'method',
  'url',
  'query',
  'host',
  'scheme',
  'status',
  'time',
  'client',
  'agent',
  'referer',
  'type',
  'duration',
] as const
