// What the mirror directive of nginx sees, as messages for Vigil (nginx-mirror.conf). The mirrored request begins beside
// the original; it waits for the response of the original, which the filters below note in variables that both share.
const MOST = 65536
const TEXTS =
  /^(?:application\/(?:[a-z0-9.+-]*json|[a-z0-9.+-]*xml|x-www-form-urlencoded|graphql)|text\/(?!html|css|javascript))/i
const LOOK_EVERY_MS = 20
// Of a longer response, such as a stream of events, the message has no body.
const PATIENCE_MS = 10000
const NO_BODY = [204, 304]

const parts = []
let size = 0
let isKept = true

/** js_header_filter of the original: notes status and headers. */
function head(r) {
  // With QuickJS these are still those of an earlier request.
  parts.length = 0
  size = 0
  const headers = r.rawHeadersOut.filter((pair) => pair[0].toLowerCase() !== 'content-type')
  headers.push(['content-type', r.headersOut['Content-Type'] || ''])
  r.variables.vigil_head = JSON.stringify({ status: r.status, headers: headers })
  isKept = TEXTS.test(r.headersOut['Content-Type'] || '') && !r.headersOut['Content-Encoding']
  if (r.method === 'HEAD' || NO_BODY.includes(r.status)) r.variables.vigil_done = '1'
}

/** js_body_filter of the original: passes each part on as it is, and notes the body when it is complete. */
function body(r, part, flags) {
  r.sendBuffer(part, flags)
  size += part.length
  if (size > MOST) isKept = false
  if (isKept) parts.push(Buffer.from(part))
  if (!flags.last) return
  r.variables.vigil_body = isKept ? Buffer.concat(parts).toString() : ''
  r.variables.vigil_done = '1'
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
}

/** Bodies of requests that are long, or that nginx wrote to a file (client_body_buffer_size), are left out. */
function requestBody(r) {
  try {
    const bytes = r.requestBuffer
    return !bytes || bytes.length > MOST ? '' : bytes.toString()
  } catch (_e) {
    return ''
  }
}

/** js_content of the mirrored request: sends the message when the response is there. */
async function send(r) {
  const startedMs = Date.now()
  while (r.variables.vigil_done !== '1' && Date.now() < startedMs + PATIENCE_MS) await pause()
  if (r.variables.vigil_head) {
    const answer = JSON.parse(r.variables.vigil_head)
    const message = {
      id: r.variables.request_id,
      time: Math.floor(startedMs / 1000),
      durationMs: Date.now() - startedMs,
      method: r.method,
      path: r.variables.request_uri,
      type: r.variables.server_protocol,
      statusCode: answer.status,
      ip: r.remoteAddress,
      source: 'MIRRORING',
      requestHeaders: r.rawHeadersIn,
      requestPayload: requestBody(r),
      responseHeaders: answer.headers,
      responsePayload: r.variables.vigil_body || '',
    }
    try {
      const reply = await ngx.fetch(r.variables.vigil_url + '/api/ingestData', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': r.variables.vigil_key },
        body: JSON.stringify({ batchData: [message] }),
      })
      if (reply.status !== 200) r.warn('vigil did not take a message: status ' + reply.status)
    } catch (e) {
      r.warn('vigil did not take a message: ' + e.message)
    }
  } else r.warn('vigil gets no message: the filters saw no response within 10 seconds')
  r.return(204)
}

export default { head, body, send }
