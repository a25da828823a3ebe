import { randomUUID } from 'node:crypto'

const PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000
/** Messages that are prepared in one go; the event loop turns in between. */
const SLICE = 20
const MAX_MESSAGES = 1000

/** Messages that wait to be sent, bounded in bytes, and the one request at a time that sends them. */
export function createQueue(settings, redactor, budget) {
  const counts = { captured: 0, sent: 0, skipped: 0, dropped: 0, rejected: 0, errors: 0 }
  const address = new URL('/api/ingestData', settings.url)
  let waiting = []
  let bytes = 0
  let timer = null
  let sending = null
  let failures = 0
  let isClosed = false

  function add(message) {
    counts.captured++
    if (isClosed || bytes + message.bytes > settings.maxQueueBytes) {
      counts.dropped++
      return
    }
    waiting.push(message)
    bytes += message.bytes
    if (sending === null) wake(bytes >= settings.maxBatchBytes ? 0 : settings.flushMs)
  }

  function wake(ms) {
    // After failures nothing hastens the next attempt.
    if (timer !== null && (ms > 0 || failures > 0)) return
    clearTimeout(timer)
    timer = setTimeout(flush, failures > 0 ? Math.min(PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS) : ms)
    timer.unref()
  }

  function flush() {
    timer = null
    sending ??= sendNext().finally(() => {
      sending = null
      if (waiting.length > 0 && !isClosed)
        wake(failures > 0 ? PAUSE_MS : bytes >= settings.maxBatchBytes ? 0 : settings.flushMs)
    })
    return sending
  }

  async function sendNext() {
    const batch = takeBatch()
    if (batch.length === 0) return
    try {
      const body = await textOf(batch)
      const from = performance.now()
      const answer = fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': settings.key },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(settings.timeoutMs),
      })
      budget.spend(from)
      const response = await answer
      await response.arrayBuffer()
      if (response.ok) counts.sent += batch.length
      else if (response.status === 408 || response.status === 429 || response.status >= 500)
        return giveBack(batch)
      else counts.rejected += batch.length
      failures = 0
    } catch {
      giveBack(batch)
    }
  }

  function takeBatch() {
    let size = 0
    let count = 0
    while (count < waiting.length && count < MAX_MESSAGES && size < settings.maxBatchBytes)
      size += waiting[count++].bytes
    bytes -= size
    return waiting.splice(0, count)
  }

  /** In front of what came meanwhile; what has no room any more is dropped. */
  function giveBack(batch) {
    failures++
    const size = batch.reduce((sum, message) => sum + message.bytes, 0)
    if (bytes + size > settings.maxQueueBytes) {
      counts.dropped += batch.length
      return
    }
    waiting = [...batch, ...waiting]
    bytes += size
  }

  async function textOf(batch) {
    const texts = []
    for (let from = 0; from < batch.length; from += SLICE) {
      const startedMs = performance.now()
      for (const message of batch.slice(from, from + SLICE)) {
        message.text ??= prepare(message)
        texts.push(message.text)
      }
      budget.spend(startedMs)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const collection =
      settings.collectionId === undefined ? '' : `,"apiCollectionId":${Number(settings.collectionId)}`
    return `{"batchData":[${texts.join(',')}]${collection}}`
  }

  function prepare(message) {
    const requestHeaders = pairsOfRaw(message.requestHeaders)
    const responseHeaders = pairsOf(message.responseHeaders)
    return JSON.stringify({
      // The same at every attempt, so that a batch sent twice counts once.
      id: randomUUID(),
      path: redactor.path(message.path),
      method: message.method,
      type: message.type,
      requestHeaders: redactor.headers(requestHeaders),
      requestPayload: bodyText(message.requestBody, requestHeaders),
      statusCode: message.statusCode,
      status: message.status,
      responseHeaders: redactor.headers(responseHeaders),
      responsePayload: bodyText(message.responseBody, responseHeaders),
      ip: message.ip,
      destIp: message.destIp,
      time: message.time,
      durationMs: message.durationMs,
      source: 'SDK',
    })
  }

  function bodyText(chunks, headers) {
    // Compressed bodies would have to be unpacked to be redacted.
    if (chunks === null || headerOf(headers, 'content-encoding') !== '') return ''
    const bytes = Buffer.concat(chunks.map((chunk) => (Array.isArray(chunk) ? Buffer.from(...chunk) : chunk)))
    return redactor.body(bytes, headerOf(headers, 'content-type'))
  }

  return {
    add,
    countSkipped: () => {
      counts.skipped++
    },
    countError: () => {
      counts.errors++
    },
    stats: () => ({ ...counts, waiting: waiting.length, waitingBytes: bytes }),
    async close(ms) {
      const until = Date.now() + ms
      while ((waiting.length > 0 || sending !== null) && failures === 0 && Date.now() < until) {
        clearTimeout(timer)
        const late = new Promise((resolve) => setTimeout(resolve, until - Date.now()).unref())
        await Promise.race([flush(), late])
      }
      isClosed = true
      clearTimeout(timer)
      counts.dropped += waiting.length
      waiting = []
      bytes = 0
    },
  }
}

function pairsOfRaw(raw) {
  const pairs = []
  for (let i = 0; i + 1 < raw.length; i += 2) pairs.push([raw[i].toLowerCase(), raw[i + 1]])
  return pairs
}

function pairsOf(headers) {
  return Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]))
}

function headerOf(headers, name) {
  return headers.find(([one]) => one === name)?.[1] ?? ''
}
