export type { BodyLimits } from './bodies/index.ts'
export {
  BODY_LIMITS,
  decodeContentEncoding,
  headerParameter,
  mediaTypeOf,
  parseBody,
  parseQuery,
} from './bodies/index.ts'
export type { BodyText } from './body-text.ts'
export { bodyBytes, bodyFromBytes, bodyFromText } from './body-text.ts'
export type { CurlEntry } from './curl-read.ts'
export { curlStartsAt, readCurl } from './curl-read.ts'
export { writeCurl } from './curl-write.ts'
export { durationOf } from './duration.ts'
export type { DataSource, Exchange, HeaderList, RequestMessage, ResponseMessage } from './exchange.ts'
export { headerValue, headerValues } from './exchange.ts'
export { writeHar } from './har-write.ts'
export { cleanHeaderPart, headerExcess, MAX_HEADERS, readHeaders } from './header-text.ts'
export { cleanHost, hostProblem, requestHostProblem } from './host.ts'
export { parseJson } from './json-limits.ts'
export type { JsonFault, JsonKeyWatcher } from './json-scanner.ts'
export { JsonScanner } from './json-scanner.ts'
export { LineCursor, linePosition } from './line-position.ts'
export { MAX_MESSAGES } from './live-batch.ts'
export { endpointMethod, isMethodToken, readMethod } from './method.ts'
export { multipartBody } from './multipart-write.ts'
export { writePostman } from './postman-write.ts'
export type { RawMessage } from './raw-http.ts'
export { parseRawRequest, parseRawResponse } from './raw-http.ts'
export {
  absoluteUrl,
  isAbsoluteTarget,
  originForm,
  requestAuthority,
  writeRawRequest,
  writeRawResponse,
} from './raw-http-write.ts'
export { parseSampleMessage, readSampleMessage, writeSampleMessage } from './sample-message.ts'
export type { BodyShape, BodyShapes, HeaderLayout, LiveExchange, LiveMessages } from './scanned/index.ts'
export {
  COUNTED_KINDS,
  KeptExchange,
  KIND,
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
  UsualMessages,
} from './scanned/index.ts'
export { cleanShortText, MAX_TARGET, targetProblem } from './target.ts'
