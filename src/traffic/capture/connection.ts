import { HttpStream, type StreamMessage } from './http-stream.ts'
import { type Mark, type Run, TcpFlow } from './tcp-flow.ts'

/** A request of a connection and its response, as far as each was captured. */
export interface CapturedPair {
  readonly request?: StreamMessage
  readonly response?: StreamMessage
  /** Endpoints as {@link TcpSegment} has them. */
  readonly client: string
  readonly server: string
}

/** What a connection carries that cannot be read. */
export type UnreadProtocol = 'TLS' | 'HTTP/2' | 'other'

/** Both directions of one TCP connection. */
export class Connection {
  readonly flows: readonly [TcpFlow, TcpFlow] = [new TcpFlow(), new TcpFlow()]
  readonly network: number
  readonly #endpoints: readonly [string, string]
  #ended = 0

  constructor(endpoints: readonly [string, string], network: number) {
    this.#endpoints = endpoints
    this.network = network
  }

  /** Notes that a direction ended; true when both have. */
  end(direction: 0 | 1): boolean {
    this.#ended |= 1 << direction
    return this.#ended === 3
  }

  get isEnded(): boolean {
    return this.#ended === 3
  }

  /** The exchanges of the connection, or the protocol that it carries instead; undefined when it carries nothing. */
  read(file: Buffer): CapturedPair[] | UnreadProtocol | undefined {
    const runs = this.flows.map((flow) => flow.runs(file))
    const kinds = runs.map((one) => HttpStream.kindOf(one))
    const asking = kinds[0] === 'request' || kinds[1] === 'response' ? 0 : 1
    if (kinds.every((kind) => kind === undefined)) return unreadProtocol(runs.flat())
    const [requestRuns, responseRuns] = [runs[asking]!, runs[1 - asking]!]
    const isWhole = this.flows.every((flow, i) => flow.isWhole(runs[i]!))
    const requests = [...new HttpStream(requestRuns).messages()]
    const responses = readResponses(responseRuns, requests, isWhole)
    const [client, server] = asking === 0 ? this.#endpoints : [this.#endpoints[1], this.#endpoints[0]]
    return pairs(requests, responses, isWhole).map((pair) => ({ ...pair, client: client!, server: server! }))
  }
}

/** Final responses, each read with the method that it answers. */
function readResponses(
  runs: readonly Run[],
  requests: readonly StreamMessage[],
  isWhole: boolean,
): StreamMessage[] {
  const responses: StreamMessage[] = []
  const byEnd = new Map(requests.map((request) => [request.end, request]))
  const methodOf = ({ acknowledged }: Mark): string =>
    (isWhole ? requests[responses.length] : byEnd.get(acknowledged))?.method ?? ''
  for (const message of new HttpStream(runs).messages(methodOf))
    if (message.status >= 200 || message.status === 101) responses.push(message)
  return responses
}

type Pair = Pick<CapturedPair, 'request' | 'response'>

/**
 * Responses come in the order of their requests. Where a part was not captured, a response belongs to the request at
 * whose end the server had received everything and nothing more.
 */
function pairs(
  requests: readonly StreamMessage[],
  responses: readonly StreamMessage[],
  isWhole: boolean,
): Pair[] {
  const byEnd = new Map(responses.map((response) => [response.first.acknowledged, response]))
  const answers = requests.map(({ end }, i) => (isWhole ? responses[i] : byEnd.get(end)))
  const known = new Set(answers)
  const orphans: Pair[] = responses
    .filter((response) => !known.has(response))
    .map((response) => ({ response }))
  const found: Pair[] = requests.map((request, i) => ({ request, response: answers[i] }))
  return [...found, ...orphans]
}

function unreadProtocol(runs: readonly Run[]): UnreadProtocol | undefined {
  if (runs.length === 0) return undefined
  const begin = (...bytes: number[]): boolean =>
    runs.some((run) => run.bytes.subarray(0, bytes.length).equals(Buffer.from(bytes)))
  // A handshake or data of a version from TLS 1.0 on.
  if ([1, 2, 3, 4].some((version) => begin(0x16, 3, version) || begin(0x17, 3, version))) return 'TLS'
  return begin(...Buffer.from('PRI * HTTP/2.0')) ? 'HTTP/2' : 'other'
}
