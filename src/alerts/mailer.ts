import type { Transporter } from 'nodemailer'
import { Failure, type Settings } from '../kit/index.ts'

const TIMEOUT_MS = 15_000
const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/
const DEFAULT_PORT = { 'smtp:': 587, 'smtps:': 465 } as const
const MAX_REASON = 300

/** A message to one person. Plain text: it shows what it links to. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same over all attempts, so that a receiver recognises a repeat. */
  readonly id?: string
}

/** Sends mail through the server of the settings; only over TLS, unless the server is this machine. */
export class Mailer {
  readonly #server: URL
  readonly #from: string
  #transport: Promise<Transporter> | null = null

  private constructor(server: URL, from: string) {
    this.#server = server
    this.#from = from
  }

  /** The mailer of the settings; null when they name no mail server. */
  static of({ smtpUrl, mailFrom, baseUrl }: Settings): Mailer | null {
    if (smtpUrl === null || baseUrl === null) return null
    return new Mailer(new URL(smtpUrl), mailFrom ?? `Vigil <vigil@${new URL(baseUrl).hostname}>`)
  }

  /**
   * Sends one message.
   *
   * @throws Failure MAIL_NOT_SENT with what the mail server said
   */
  async send({ to, subject, text, id }: Mail): Promise<void> {
    try {
      this.#transport ??= openTransport(this.#server)
      const transport = await this.#transport
      const headers = id === undefined ? {} : { 'X-Vigil-Message': id }
      await transport.sendMail({ from: this.#from, to: { name: '', address: to }, subject, text, headers })
    } catch (error) {
      const { response, message } = error as { response?: string; message: string }
      const reason = (response ?? message).replace(/\p{Cc}/gu, ' ').slice(0, MAX_REASON)
      throw new Failure('MAIL_NOT_SENT', { reason }, { cause: error })
    }
  }

  close(): void {
    void this.#transport?.then((transport) => transport.close())
  }
}

/** The library is loaded with the first mail: most installations send none. */
async function openTransport(url: URL): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const isTls = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  return createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? DEFAULT_PORT[isTls ? 'smtps:' : 'smtp:'] : Number(url.port),
    secure: isTls,
    requireTLS: !isTls && !LOOPBACK.test(url.hostname),
    ...(LOOPBACK.test(url.hostname) ? { ignoreTLS: !isTls } : {}),
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
