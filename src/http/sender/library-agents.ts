import { Agent } from 'undici'
import type { Connector } from './connector.ts'
import type { ClientCertificate } from './outgoing.ts'

/** Client certificates in use at one time; further ones take the place of the oldest. */
const MAX_IDENTITIES = 16

/** The HTTP library's kept connections: those of one client certificate are never used for another. */
export class LibraryAgents {
  readonly #connector: Connector
  readonly #options: { connections: number; headBytes: number }
  /** By client certificate; '' is none. */
  readonly #agents = new Map<string, Agent>()
  readonly #addresses = new Map<string, string>()

  /** @param options.connections most connections to one host */
  constructor(connector: Connector, options: { connections: number; headBytes: number }) {
    this.#connector = connector
    this.#options = options
  }

  /** Connections of a certificate, or of none. */
  of(clientCertificate: ClientCertificate | undefined): Agent {
    const key = clientCertificate ? `${clientCertificate.certificate}${clientCertificate.key}` : ''
    const known = this.#agents.get(key)
    if (known !== undefined) return known
    const [oldest] = this.#agents.keys()
    if (this.#agents.size >= MAX_IDENTITIES && oldest !== undefined) {
      // Requests that still use it end first.
      void this.#agents.get(oldest)?.close()
      this.#agents.delete(oldest)
    }
    const agent = this.#newAgent(clientCertificate)
    this.#agents.set(key, agent)
    return agent
  }

  /** The address that a host was last connected at; '' before the first connection. */
  addressOf(host: string): string {
    return this.#addresses.get(host) ?? ''
  }

  async destroy(): Promise<void> {
    await Promise.all(Array.from(this.#agents.values(), (agent) => agent.destroy()))
  }

  #newAgent(clientCertificate: ClientCertificate | undefined): Agent {
    return new Agent({
      connections: this.#options.connections,
      pipelining: 1,
      // The deadlines are those of the pending answer.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: this.#options.headBytes,
      allowH2: false,
      connect: ({ hostname, host, port, protocol }, callback) => {
        const isTls = protocol === 'https:'
        const target = {
          hostname,
          port: Number(port) || (isTls ? 443 : 80),
          isTls,
          ...(clientCertificate ? { clientCertificate } : {}),
        }
        this.#connector.open(target, (error, socket) => {
          if (socket === null) {
            callback(error ?? new Error('no connection'), null)
            return
          }
          this.#addresses.set(host ?? hostname, socket.remoteAddress ?? '')
          callback(null, socket)
        })
      },
    })
  }
}
