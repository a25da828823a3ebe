import { lookup } from 'node:dns/promises'
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Failure, nowMs } from '../../kit/index.ts'
import type { ClientCertificate } from './outgoing.ts'
import { type TargetScope, withoutBrackets } from './target-scope.ts'

const ADDRESS_LIFE_MS = 30_000

type Address = { readonly address: string; readonly family: number }

/** Where a connection goes to. */
export interface ConnectionTarget {
  /** A name or an address, IPv6 with or without brackets. */
  readonly hostname: string
  readonly port: number
  readonly isTls: boolean
  readonly clientCertificate?: ClientCertificate
  /** Speaks HTTP/2 instead of HTTP/1.1. */
  readonly isHttp2?: boolean
}

/**
 * Opens connections to targets. A name is resolved here, the addresses are checked, and exactly those are connected
 * to: between check and connection there is no second resolution that could lead elsewhere (DNS rebinding, CWE-918).
 */
export class Connector {
  readonly #scope: TargetScope
  readonly #verifiesTls: boolean
  readonly #timeoutMs: number
  readonly #resolve: (hostname: string) => Promise<readonly Address[]>
  readonly #known = new Map<string, { addresses: Promise<readonly Address[]>; until: number }>()

  constructor(options: {
    scope: TargetScope
    verifiesTls: boolean
    timeoutMs: number
    resolve?: (hostname: string) => Promise<readonly Address[]>
  }) {
    this.#scope = options.scope
    this.#verifiesTls = options.verifiesTls
    this.#timeoutMs = options.timeoutMs
    this.#resolve = options.resolve ?? ((hostname) => lookup(hostname, { all: true }))
  }

  /**
   * Opens a connection; `done` hears once, with the socket after the handshake of TLS, or with what went wrong:
   * Failure TARGET_OUT_OF_SCOPE, or an error of the system.
   */
  open(target: ConnectionTarget, done: (error: Error | null, socket: Socket | null) => void): void {
    const host = withoutBrackets(target.hostname)
    const verdict = isIP(host) === 0 ? null : this.#scope.checkAddress(host, target.port, target.hostname)
    if (verdict !== null) {
      done(outOfScope(target, verdict), null)
      return
    }
    const socket = this.#start(host, target)
    const settle = (error: Error | null): void => {
      clearTimeout(timer)
      socket.off('error', settle)
      socket.off(target.isTls ? 'secureConnect' : 'connect', ready)
      if (error === null) done(null, socket)
      else {
        // What a dying socket still says after its first error is of no interest.
        socket.on('error', () => {})
        socket.destroy()
        done(error, null)
      }
    }
    const ready = (): void => settle(null)
    const timer = setTimeout(() => {
      settle(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }))
    }, this.#timeoutMs)
    socket.setNoDelay(true)
    socket.once('error', settle)
    socket.once(target.isTls ? 'secureConnect' : 'connect', ready)
  }

  #start(host: string, target: ConnectionTarget): Socket {
    const way = { host, port: target.port, lookup: this.#lookupFor(target) }
    if (!target.isTls) return connectTcp(way)
    const { clientCertificate } = target
    return connectTls({
      ...way,
      ALPNProtocols: [target.isHttp2 === true ? 'h2' : 'http/1.1'],
      // An address is not a server name (RFC 6066 section 3).
      ...(isIP(host) === 0 ? { servername: host } : {}),
      rejectUnauthorized: this.#verifiesTls,
      // Who does not verify wants to reach old and badly kept servers as well.
      ...(this.#verifiesTls ? {} : { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
      ...(clientCertificate ? { cert: clientCertificate.certificate, key: clientCertificate.key } : {}),
    })
  }

  #lookupFor(target: ConnectionTarget): LookupFunction {
    return (hostname, options, callback) => {
      this.#addressesOf(hostname).then(
        (addresses) => {
          const verdicts = addresses.map(({ address }) =>
            this.#scope.checkAddress(address, target.port, target.hostname),
          )
          const passed = addresses.filter((_address, index) => verdicts[index] === null)
          const [first] = passed
          if (first === undefined) callback(outOfScope(target, verdicts[0] ?? 'it has no address'), '', 4)
          else if (options.all) callback(null, [...passed])
          else callback(null, first.address, first.family)
        },
        (error: NodeJS.ErrnoException) => callback(error, '', 4),
      )
    }
  }

  #addressesOf(hostname: string): Promise<readonly Address[]> {
    const known = this.#known.get(hostname)
    if (known !== undefined && known.until > nowMs()) return known.addresses
    const addresses = this.#resolve(hostname)
    this.#known.set(hostname, { addresses, until: nowMs() + ADDRESS_LIFE_MS })
    addresses.catch(() => this.#known.delete(hostname))
    return addresses
  }
}

function outOfScope(target: ConnectionTarget, reason: string): Failure {
  return new Failure('TARGET_OUT_OF_SCOPE', { host: target.hostname, reason })
}
