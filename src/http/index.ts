export type { BodyFormat, BodyInput, BodyLimits, BodyObject, BodyValue, ParsedBody } from './bodies/index.ts'
export {
  BODY_LIMITS,
  decodeContentEncoding,
  headerParameter,
  mediaTypeOf,
  parseBody,
  parseForm,
  parseQuery,
  sniffMediaType,
} from './bodies/index.ts'
export type { BodyText } from './body-text.ts'
export { bodyBytes, bodyFromBytes, bodyFromText } from './body-text.ts'
export type { CurlEntry } from './curl-read.ts'
export { curlStartsAt, readCurl } from './curl-read.ts'
export { writeCurl } from './curl-write.ts'
export type { DataSource, Exchange, HeaderList, RequestMessage, ResponseMessage } from './exchange.ts'
export { DATA_SOURCES, headerValue, headerValues } from './exchange.ts'
export { writeHar } from './har-write.ts'
export { cleanHeaderPart, headerExcess, MAX_HEADERS, readHeaders, writeHeaderText } from './header-text.ts'
export { cleanHost, hostProblem, requestHostProblem } from './host.ts'
export type { JsonLimits, ParsedJson } from './json-limits.ts'
export { jsonFailure, parseJson } from './json-limits.ts'
export type { JsonFault, JsonKeyWatcher, JsonScanLimits } from './json-scanner.ts'
export { JsonScanner } from './json-scanner.ts'
export type { LinePosition } from './line-position.ts'
export { LineCursor, linePosition } from './line-position.ts'
export type { LiveBatch } from './live-batch.ts'
export { MAX_MESSAGES, readLiveBatch } from './live-batch.ts'
export { endpointMethod, isMethodToken, readMethod } from './method.ts'
export type { FormPart } from './multipart-write.ts'
export { multipartBody } from './multipart-write.ts'
export type { PostmanEndpoint } from './postman-write.ts'
export { writePostman } from './postman-write.ts'
export type { RawHttpOptions, RawMessage } from './raw-http.ts'
export { MAX_DECODED_BODY, parseRawRequest, parseRawResponse } from './raw-http.ts'
export type { RawRequestStyle } from './raw-http-write.ts'
export {
  absoluteUrl,
  isAbsoluteTarget,
  originForm,
  requestAuthority,
  writeRawRequest,
  writeRawResponse,
} from './raw-http-write.ts'
export type { SampleDefaults } from './sample-message.ts'
export {
  MAX_SAMPLE_TEXT,
  parseSampleMessage,
  readSampleMessage,
  writeSampleMessage,
} from './sample-message.ts'
export type { BodyShape, BodyShapes, HeaderLayout, LiveExchange, LiveMessages } from './scanned/index.ts'
export {
  COUNTED_KINDS,
  KIND,
  keptExchange,
  LiveReader,
  plainExchange,
  requestHeaderOf,
  requestHeadersOf,
  requestPathOf,
  responseHeaderOf,
  ScannedBatch,
  ScannedExchange,
  ScannedRequest,
  ScannedResponse,
} from './scanned/index.ts'
export { cleanShortText, MAX_TARGET, targetProblem } from './target.ts'
