export { type BodyShape, type BodyShapes, COUNTED_KINDS, KIND } from './body-shapes.ts'
export type { HeaderLayout } from './header-layout.ts'
export { ScannedBatch } from './scanned-batch.ts'
export {
  plainExchange,
  requestHeaderOf,
  responseHeaderOf,
  ScannedExchange,
  type ScannedRequest,
  type ScannedResponse,
} from './scanned-exchange.ts'
