export { type BodyShape, type BodyShapes, COUNTED_KINDS, KIND } from './body-shapes.ts'
export type { HeaderLayout } from './header-layout.ts'
export { type LiveMessages, LiveReader } from './live-reader.ts'
export { ScannedBatch } from './scanned-batch.ts'
export type { LiveExchange } from './scanned-exchange.ts'
export {
  KeptExchange,
  plainExchange,
  requestHeaderOf,
  requestHeadersOf,
  requestPathOf,
  responseHeaderOf,
  ScannedExchange,
  ScannedRequest,
  ScannedResponse,
} from './scanned-exchange.ts'
export { UsualMessages } from './usual-messages.ts'
