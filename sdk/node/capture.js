/**
 * Copies references to what passes, without reading the request or holding back the response: the application sees the
 * same streams at the same times.
 */
export function capture(request, response, { maxBodyBytes, queue, budget }) {
  const requestBody = collector(maxBodyBytes)
  const responseBody = collector(maxBodyBytes)
  // Begun before: what arrived is in the buffer of the stream, and not ours to take.
  if (request.readableLength > 0 || request.readableDidRead) requestBody.miss()
  const { push } = request
  request.push = function pushed(chunk, encoding) {
    requestBody.add(chunk, encoding)
    return push.call(this, chunk, encoding)
  }
  const { write, end, writeHead } = response
  let givenHeaders = {}
  response.writeHead = function headWritten(status, ...rest) {
    // Headers that are given here alone are not among those that the response tells later.
    givenHeaders = namedHeaders(typeof rest[0] === 'string' ? rest[1] : rest[0])
    return writeHead.call(this, status, ...rest)
  }
  response.write = function written(chunk, encoding, callback) {
    responseBody.add(chunk, encoding)
    return write.call(this, chunk, encoding, callback)
  }
  response.end = function ended(chunk, encoding, callback) {
    // Some versions of Node.js write the last chunk through `write`.
    response.write = write
    responseBody.add(chunk, encoding)
    return end.call(this, chunk, encoding, callback)
  }
  const time = Math.floor(Date.now() / 1000)
  const startedMs = performance.now()
  response.once('finish', () => {
    const from = performance.now()
    try {
      queue.add({
        time,
        durationMs: Math.round(performance.now() - startedMs),
        method: request.method,
        path: request.originalUrl ?? request.url,
        type: `HTTP/${request.httpVersion}`,
        requestHeaders: request.rawHeaders,
        requestBody: requestBody.body(),
        statusCode: response.statusCode,
        status: response.statusMessage ?? '',
        responseHeaders: { ...response.getHeaders(), ...givenHeaders },
        responseBody: responseBody.body(),
        ip: request.socket?.remoteAddress ?? '',
        destIp: request.socket?.localAddress ?? '',
        bytes: requestBody.bytes() + responseBody.bytes() + HEAD_BYTES,
      })
    } catch {
      queue.countError()
    }
    budget.spend(from)
  })
}

/** What a message takes beside its bodies, roughly. */
const HEAD_BYTES = 2048

/** Headers as `writeHead` takes them, by lower-case name: an object, or names and values in turn. */
function namedHeaders(headers) {
  if (!Array.isArray(headers)) {
    const entries = Object.entries(headers ?? {})
    return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]))
  }
  const list = headers.flat()
  const named = {}
  for (let i = 0; i + 1 < list.length; i += 2) {
    const name = String(list[i]).toLowerCase()
    named[name] = name in named ? [named[name], list[i + 1]].flat() : list[i + 1]
  }
  return named
}

/** The chunks of one body; null when it is too long, or was missed. */
function collector(maxBytes) {
  let chunks = []
  let bytes = 0
  const miss = () => {
    chunks = null
    bytes = 0
  }
  return {
    miss,
    add(chunk, encoding) {
      if (chunks === null || chunk === null || chunk === undefined || typeof chunk === 'function') return
      bytes += chunk.length
      if (bytes > maxBytes) miss()
      else chunks.push(typeof chunk === 'string' ? [chunk, encoding] : chunk)
    },
    body: () => chunks,
    bytes: () => bytes,
  }
}
