import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import type { Access } from '../../access/index.ts'
import { Failure, type Log, reportError } from '../../kit/index.ts'
import { type AccountAction, accountActions } from './account-actions.ts'
import { controlSocket } from './control-socket.ts'

const MOST_CHARACTERS = 65_536
const QUESTION_PATIENCE_MS = 10_000

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
  const server = createServer((socket) => void serve(socket, access, log))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  chmodSync(path, 0o600)
  server.unref()
  return () => new Promise((resolve) => server.close(() => resolve()))
}

async function serve(socket: Socket, access: Access, log: Log): Promise<void> {
  socket.setEncoding('utf8').setTimeout(QUESTION_PATIENCE_MS, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  let line = ''
  socket.on('data', (part: string) => {
    line += part
    if (line.length > MOST_CHARACTERS) socket.destroy()
    if (!line.endsWith('\n')) return
    // Patience is for the question: the answer may wait for a busy store.
    socket.setTimeout(0)
    void answerTo(line, access, log).then((answer) => socket.end(`${JSON.stringify(answer)}\n`))
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
