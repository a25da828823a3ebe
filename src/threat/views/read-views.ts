import { type LiveExchange, ScannedRequest, ScannedResponse } from '../../http/index.ts'
import { decodeLeaves, takeApart } from './decode-leaves.ts'
import type { KnownParts } from './known-headers.ts'
import type { ReadViews, ViewBudget } from './leaf.ts'
import { PLACE, PLACES_OF, VIEW_BUDGET } from './leaf.ts'
import { LeafStore } from './leaf-store.ts'
import { readBody, readScannedBody } from './read-body.ts'
import { readHeaders, readScannedHeaders } from './read-headers.ts'
import { readScannedTarget, readTarget } from './read-target.ts'

const REQUEST_HEADERS = {
  raw: PLACE.REQUEST_HEADERS_RAW,
  name: PLACE.REQUEST_HEADER_NAME,
  value: PLACE.REQUEST_HEADER_VALUE,
} as const
const REQUEST_BODY = {
  raw: PLACE.REQUEST_BODY_RAW,
  key: PLACE.REQUEST_BODY_KEY,
  value: PLACE.REQUEST_BODY_VALUE,
  fileName: PLACE.REQUEST_FILE_NAME,
} as const
const RESPONSE_HEADERS = {
  raw: PLACE.RESPONSE_HEADERS_RAW,
  name: PLACE.RESPONSE_HEADER_NAME,
  value: PLACE.RESPONSE_HEADER_VALUE,
} as const
const RESPONSE_BODY = {
  raw: PLACE.RESPONSE_BODY_RAW,
  key: PLACE.RESPONSE_BODY_KEY,
  value: PLACE.RESPONSE_BODY_VALUE,
  fileName: PLACE.RESPONSE_BODY_VALUE,
} as const

const URL_PLACES = PLACES_OF.URL_RAW | PLACES_OF.URL_DECODED
const REQUEST_HEADER_PLACES = PLACES_OF.REQUEST_HEADERS_RAW | PLACES_OF.REQUEST_HEADERS_DECODED
const RESPONSE_HEADER_PLACES = PLACES_OF.RESPONSE_HEADERS_RAW | PLACES_OF.RESPONSE_HEADERS_DECODED

/** Everything is read. */
const NOTHING_KNOWN: KnownParts = { headers: null, quietResponse: null }

let store = new LeafStore(VIEW_BUDGET)

/**
 * Reads a message into leaves: its structure first, then every leaf of the request decoded until nothing changes.
 * What a response holds is taken apart, JSON within its texts as well, but not decoded further: our side wrote it.
 */
export const readViews: ReadViews = (
  exchange,
  wanted,
  budget = VIEW_BUDGET,
  known = NOTHING_KNOWN,
): LeafStore => {
  if (store.budget !== budget) store = storeFor(budget)
  store.clear()
  known.headers?.begin()
  readRequest(store, exchange, wanted, known)
  decodeLeaves(store, 0)
  const first = store.count
  readResponse(store, exchange, wanted, known)
  takeApart(store, first)
  return store
}

function storeFor(budget: ViewBudget): LeafStore {
  return new LeafStore(budget)
}

function readRequest(store: LeafStore, { request }: LiveExchange, wanted: number, known: KnownParts): void {
  store.beginSide()
  const isScanned = request instanceof ScannedRequest
  if ((wanted & URL_PLACES) !== 0) {
    if (isScanned) readScannedTarget(store, request, wanted)
    else readTarget(store, request.target, wanted)
  }
  if ((wanted & REQUEST_HEADER_PLACES) !== 0) {
    const wantsRaw = (wanted & PLACES_OF.REQUEST_HEADERS_RAW) !== 0
    if (isScanned) readScannedHeaders(store, request, REQUEST_HEADERS, { wantsRaw, known: known.headers })
    else readHeaders(store, request.headers, REQUEST_HEADERS, wantsRaw)
  }
  const raw = (wanted & PLACES_OF.REQUEST_PAYLOAD_RAW) !== 0
  const leaves = (wanted & PLACES_OF.REQUEST_PAYLOAD_DECODED) !== 0
  if (isScanned) readScannedBody(store, request, REQUEST_BODY, { raw, leaves, quiet: null })
  else if (raw || leaves) readBody(store, request, REQUEST_BODY, raw, leaves)
}

function readResponse(store: LeafStore, { response }: LiveExchange, wanted: number, known: KnownParts): void {
  store.beginSide()
  const isScanned = response instanceof ScannedResponse
  if ((wanted & RESPONSE_HEADER_PLACES) !== 0) {
    const wantsRaw = (wanted & PLACES_OF.RESPONSE_HEADERS_RAW) !== 0
    if (isScanned) readScannedHeaders(store, response, RESPONSE_HEADERS, { wantsRaw, known: known.headers })
    else readHeaders(store, response.headers, RESPONSE_HEADERS, wantsRaw)
  }
  const raw = (wanted & PLACES_OF.RESPONSE_PAYLOAD_RAW) !== 0
  const leaves = (wanted & PLACES_OF.RESPONSE_PAYLOAD_DECODED) !== 0
  const quiet = known.quietResponse
  if (isScanned) readScannedBody(store, response, RESPONSE_BODY, { raw, leaves, quiet })
  else if (raw || leaves) readBody(store, response, RESPONSE_BODY, raw, leaves)
}
