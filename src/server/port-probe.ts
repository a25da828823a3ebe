import { createServer } from 'node:net'
import { Failure } from '../kit/index.ts'

/** Why nobody can listen on a port now, as the system says it; null when it is free. */
export function portProblem(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.message))
    probe.listen({ host, port }, () => probe.close(() => resolve(null)))
  })
}

/**
 * Finds a taken port before the store is opened.
 *
 * @throws Failure CANNOT_LISTEN
 */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const reason = await portProblem(host, port)
  if (reason !== null) throw new Failure('CANNOT_LISTEN', { host, port, reason })
}
