import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail server that keeps what it is sent. */
export interface Mailbox {
  /** For the setting `smtp-url`. */
  readonly url: string
  readonly mails: { readonly to: string; readonly text: string }[]
  close(): Promise<void>
}

/** Starts one on a free port of this machine. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: { to: string; text: string }[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        // Long lines are folded with "=" (RFC 2045).
        const text = Buffer.concat(chunks).toString().replace(/=\r\n/g, '').replace(/=3D/g, '=')
        mails.push({ to: envelope.rcptTo.map(({ address }) => address).join(), text })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    close: () => new Promise((resolve) => smtp.close(() => resolve())),
  }
}
