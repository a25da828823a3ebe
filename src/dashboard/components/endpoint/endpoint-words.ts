import { authTypeLabels, type dataSources } from '../../../contract/browser.ts'
import { constantText } from '../../data/words.ts'

const authWords: Readonly<Record<string, string>> = authTypeLabels

/** "No authentication" for `UNAUTHENTICATED`; kinds that an operator defined stand under their own names. */
export function authWord(kind: string): string {
  return Object.hasOwn(authWords, kind) ? (authWords[kind] ?? kind) : kind
}

/** Whose addresses call an endpoint: "Third party". */
export function accessWord(type: string): string {
  return constantText(type)
}

const kindWords: Readonly<Record<string, string>> = {
  REST: 'REST',
  GRAPHQL: 'GraphQL',
  GRPC: 'gRPC',
  SOAP: 'SOAP',
  WEBSOCKET: 'WebSocket',
}

/** The kind of an API by its name: "GraphQL". */
export function apiTypeWord(type: string): string {
  return kindWords[type] ?? constantText(type)
}

const sourceWords: Readonly<Record<(typeof dataSources)[number], string>> = {
  HAR: 'HAR file',
  PCAP: 'Packet capture',
  MIRRORING: 'Mirrored traffic',
  SDK: 'Middleware',
  OTHER: 'Other',
  POSTMAN: 'Postman',
  OPEN_API: 'OpenAPI document',
  BURP: 'Burp',
  IMPERVA: 'Imperva',
  WIZ: 'Wiz',
  CRAWLER: 'Crawler',
  ACCESS_LOG: 'Access log',
  OPEN_TELEMETRY: 'OpenTelemetry',
}

/** Where an endpoint was seen: "Mirrored traffic". */
export function sourceWord(source: string): string {
  return (sourceWords as Readonly<Record<string, string>>)[source] ?? constantText(source)
}
