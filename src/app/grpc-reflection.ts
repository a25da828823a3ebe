import { type ClientHttp2Stream, connect } from 'node:http2'
import type { Socket } from 'node:net'
import protobuf from 'protobufjs'
import descriptor, { type IFileDescriptorProto } from 'protobufjs/ext/descriptor.js'
import { Connector, TargetScope } from '../http/sender/index.ts'
import { Failure } from '../kit/index.ts'
import type { FetchLimits } from './fetch-document.ts'

const TOTAL_MS = 60_000
const CONNECT_MS = 10_000
const MAX_FILES = 2_000
const FRAME_HEADER = 5
const UNIMPLEMENTED = '12'
/** Versions of the service, newest first. */
const SERVICES = ['grpc.reflection.v1.ServerReflection', 'grpc.reflection.v1alpha.ServerReflection']

/** The messages of server reflection, the same in both versions. */
const { root } = protobuf.parse(`syntax = "proto3";
message Request {
  oneof message_request { string file_by_filename = 3; string file_containing_symbol = 4; string list_services = 7; }
}
message Response {
  oneof message_response { Files file_descriptor_response = 4; Services list_services_response = 6; Refusal error_response = 7; }
}
message Files { repeated bytes file_descriptor_proto = 1; }
message Services { repeated Service service = 1; }
message Service { string name = 1; }
message Refusal { int32 error_code = 1; string error_message = 2; }`)
const Request = root.lookupType('Request')
const Response = root.lookupType('Response')

type Question = { listServices: string } | { fileContainingSymbol: string } | { fileByFilename: string }

interface Answer {
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto?: readonly Uint8Array[] }
  readonly listServicesResponse?: { readonly service?: readonly { readonly name: string }[] }
  readonly errorResponse?: { readonly errorMessage?: string }
}

/**
 * Asks a gRPC server to describe its services, as a JSON descriptor that can be imported. Only the host and port of the
 * URL are connected to.
 *
 * @param url grpc://host:port, or grpcs://host:port with TLS
 * @throws Failure DOCUMENT_NOT_FETCHED with the reason
 */
export async function describeGrpc(url: string, { maxBytes, verifiesTls }: FetchLimits): Promise<Buffer> {
  const refuse = (reason: string, cause?: unknown): Failure =>
    new Failure('DOCUMENT_NOT_FETCHED', { url, reason }, { cause })
  const parsed = new URL(url.replace(/^grpc/i, 'http'))
  const socket = await openSocket(parsed, verifiesTls).catch((error: unknown) => {
    throw refuse(error instanceof Error ? error.message : String(error), error)
  })
  const session = connect(parsed.origin, { createConnection: () => socket })
  // Without a listener it would end the process; the streams carry the reason.
  session.on('error', () => {})
  const timer = setTimeout(() => session.destroy(new Error('it took longer than a minute')), TOTAL_MS)
  try {
    return await readDescriptors(
      (service) => new Conversation(session.request(headersOf(parsed, service)), maxBytes),
    )
  } catch (error) {
    throw error instanceof Failure ? error : refuse((error as Error).message, error)
  } finally {
    clearTimeout(timer)
    session.destroy()
  }
}

function openSocket(url: URL, verifiesTls: boolean): Promise<Socket> {
  const isTls = url.protocol === 'https:'
  const connector = new Connector({ scope: new TargetScope([url.host]), verifiesTls, timeoutMs: CONNECT_MS })
  const target = {
    hostname: url.hostname,
    port: Number(url.port || (isTls ? 443 : 80)),
    isTls,
    isHttp2: true,
  }
  return new Promise((resolve, reject) => {
    connector.open(target, (error, socket) => (socket === null ? reject(error) : resolve(socket)))
  })
}

function headersOf({ host, protocol }: URL, service: string): Record<string, string> {
  return {
    ':method': 'POST',
    ':path': `/${service}/ServerReflectionInfo`,
    ':scheme': protocol.slice(0, -1),
    ':authority': host,
    'content-type': 'application/grpc',
    te: 'trailers',
  }
}

async function readDescriptors(begin: (service: string) => Conversation): Promise<Buffer> {
  for (const service of SERVICES) {
    const conversation = begin(service)
    try {
      return await readFiles(conversation)
    } catch (error) {
      if (!(error instanceof NotOffered) || service === SERVICES.at(-1)) throw error
    } finally {
      conversation.end()
    }
  }
  throw new NotOffered()
}

async function readFiles(conversation: Conversation): Promise<Buffer> {
  const { listServicesResponse } = await conversation.ask({ listServices: '*' })
  const services = (listServicesResponse?.service ?? []).filter(({ name }) => !SERVICES.includes(name))
  if (services.length === 0) throw new Error('the server lists no services')
  const files = new Map<string, IFileDescriptorProto>()
  for (const { name } of services) add(files, await conversation.ask({ fileContainingSymbol: name }))
  for (const wanted of missing(files)) {
    if (files.size >= MAX_FILES) throw new Error(`its services are in more than ${MAX_FILES} files`)
    add(files, await conversation.ask({ fileByFilename: wanted }))
  }
  const set = { file: [...files.values()] }
  return Buffer.from(JSON.stringify(protobuf.Root.fromDescriptor(set).toJSON()))
}

function add(files: Map<string, IFileDescriptorProto>, answer: Answer): void {
  for (const bytes of answer.fileDescriptorResponse?.fileDescriptorProto ?? []) {
    const file = descriptor.FileDescriptorProto.decode(bytes) as IFileDescriptorProto
    if (file.name) files.set(file.name, file)
  }
}

/** Names of files that others need and that are not there, also of those that come meanwhile. */
function* missing(files: Map<string, IFileDescriptorProto>): Generator<string> {
  const asked = new Set<string>()
  for (;;) {
    const wanted = [...files.values()]
      .flatMap(({ dependency }) => dependency ?? [])
      .find((name) => !files.has(name) && !asked.has(name))
    if (wanted === undefined) return
    asked.add(wanted)
    yield wanted
  }
}

/** The server has no such service. */
class NotOffered extends Error {
  constructor() {
    super('the server does not offer reflection; import its .proto files instead')
  }
}

/** Questions and answers over one stream, one at a time. */
class Conversation {
  readonly #stream: ClientHttp2Stream
  #left: number
  /** Bytes that came and were not taken yet. */
  #chunks: Buffer[] = []
  #size = 0
  #ended: Error | null = null
  #wake: () => void = () => {}

  constructor(stream: ClientHttp2Stream, maxBytes: number) {
    this.#stream = stream
    this.#left = maxBytes
    const fail = (error: Error): void => {
      this.#ended ??= error
      stream.close()
      this.#wake()
    }
    const onStatus = (headers: Record<string, unknown>): void => {
      const status = headers['grpc-status']
      if (status === UNIMPLEMENTED || Number(headers[':status'] ?? 200) === 404) fail(new NotOffered())
      else if (status !== undefined && status !== '0')
        fail(new Error(`the server answered with gRPC status ${String(status)}`))
    }
    stream.on('response', onStatus)
    stream.on('trailers', onStatus)
    stream.on('error', fail)
    stream.on('close', () => fail(new Error('the server ended the stream')))
    stream.on('data', (chunk: Buffer) => {
      this.#left -= chunk.length
      if (this.#left < 0) fail(new Error('its description is too large'))
      this.#chunks.push(chunk)
      this.#size += chunk.length
      this.#wake()
    })
  }

  async ask(question: Question): Promise<Answer> {
    const message = Request.encode(Request.fromObject(question)).finish()
    const frame = Buffer.alloc(FRAME_HEADER + message.length)
    frame.writeUInt32BE(message.length, 1)
    frame.set(message, FRAME_HEADER)
    this.#stream.write(frame)
    const bytes = await this.#next()
    const answer = Response.toObject(Response.decode(bytes), { bytes: Buffer }) as Answer
    if (answer.errorResponse !== undefined)
      throw new Error(`the server refused: ${(answer.errorResponse.errorMessage ?? '').slice(0, 200)}`)
    return answer
  }

  end(): void {
    this.#stream.close()
  }

  async #next(): Promise<Buffer> {
    const header = await this.#take(FRAME_HEADER)
    return this.#take(header.readUInt32BE(1))
  }

  async #take(bytes: number): Promise<Buffer> {
    while (this.#size < bytes) {
      if (this.#ended !== null) throw this.#ended
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const [first] = this.#chunks
    const all = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks)
    this.#chunks = [all.subarray(bytes)]
    this.#size -= bytes
    return all.subarray(0, bytes)
  }
}
