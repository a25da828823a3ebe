import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import type { Access } from '../../access/index.ts'
import { Failure, type Log, reportError } from '../../kit/index.ts'
import { type AccountAction, accountActions } from './account-actions.ts'
import { controlSocket } from './control-socket.ts'

const MOST_CHARACTERS = 65_536
const QUESTION_PATIENCE_MS = 10_000
/** What remains for answers and for clients to hang up once the server ends. */
const END_PATIENCE_MS = 1_000

/**
 * Answers commands of the owner of the data folder while the server holds its store: one line of JSON each, over a socket
 * in the folder that only the owner can open, which is who could open the store itself.
 *
 * @returns a function that ends it
 */
export async function serveLocalControl(
  dataDir: string,
  access: Access,
  log: Log,
): Promise<() => Promise<void>> {
  const path = controlSocket(dataDir)
  if (path === null) return async () => {}
  // The lock of the folder is held: a socket in it is left over from a server that was killed.
  rmSync(path, { force: true })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)))
    serve(socket, access, log)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  chmodSync(path, 0o600)
  server.unref()
  return () => end(server, sockets)
}

/** A client that was suspended never hangs up: after a while the server does. */
function end(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    const hangUp = setTimeout(() => {
      for (const socket of sockets) socket.destroy()
    }, END_PATIENCE_MS)
    server.close(() => {
      clearTimeout(hangUp)
      resolve()
    })
  })
}

function serve(socket: Socket, access: Access, log: Log): void {
  socket.setEncoding('utf8').setTimeout(QUESTION_PATIENCE_MS, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  let line = ''
  socket.on('data', (part: string) => {
    line += part
    if (line.length > MOST_CHARACTERS) socket.destroy()
    if (!line.endsWith('\n')) return
    // Patience is for the question: the answer may wait for a busy store.
    socket.setTimeout(0)
    void answerTo(line, access, log).then((answer) =>
      socket.end(`${JSON.stringify(answer)}\n`).setTimeout(QUESTION_PATIENCE_MS),
    )
  })
}

async function answerTo(line: string, access: Access, log: Log): Promise<object> {
  try {
    const { action, asked } = JSON.parse(line) as { action: AccountAction; asked: never }
    if (!Object.hasOwn(accountActions, action))
      return { code: 'BAD_COMMAND', details: { reason: 'another version' } }
    return { answer: await accountActions[action](access, asked) }
  } catch (error) {
    if (error instanceof Failure) return { code: error.code, details: error.details }
    log.error('part.failed', { part: 'local control', error: reportError(error) })
    return { code: 'BAD_COMMAND', details: { reason: 'the server could not do it; see its log' } }
  }
}
