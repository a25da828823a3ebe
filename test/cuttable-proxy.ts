import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server on this machine that can be cut. */
export interface CuttableProxy {
  readonly port: number
  /** Resets every connection and refuses new ones, as a server that went down. */
  cut(): Promise<void>
  /** Takes connections and bytes from now on and passes nothing on, as a network that lost the server. */
  silence(): void
  close(): Promise<void>
}

/** Listens on a port, a free one unless given, and passes bytes on to `port`. */
export async function startProxy(port: number, listenOn = 0): Promise<CuttableProxy> {
  const sockets = new Set<Socket>()
  let isSilent = false
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from)
    from.on('data', (bytes) => {
      if (!isSilent) to.write(bytes)
    })
    from.on('close', () => {
      sockets.delete(from)
      if (!isSilent) to.destroy()
    })
    from.on('error', () => {}) // its close follows
  }
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    pass(near, far)
    pass(far, near)
  })
  await new Promise<void>((resolve) => server.listen(listenOn, '127.0.0.1', resolve))
  const cut = async (): Promise<void> => {
    if (!server.listening) return
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.resetAndDestroy()
    await closed
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    silence() {
      isSilent = true
    },
    close: cut,
  }
}
