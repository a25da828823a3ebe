import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { Failure, type FailureDetails } from '../../kit/index.ts'
import type { AccountAction, AnswerTo, AskedOf } from './account-actions.ts'
import { controlSocket } from './control-socket.ts'

/** More than the longest statement of the store (VIGIL_STATEMENT_SECONDS) usually has. */
const PATIENCE_MS = 300_000

/**
 * Asks the server that holds a data folder for an action.
 *
 * @returns null when no server answers there
 * @throws Failure of the action
 */
export async function callLocalControl<Name extends AccountAction>(
  dataDir: string,
  action: Name,
  asked: AskedOf<Name>,
): Promise<AnswerTo<Name> | null> {
  const path = controlSocket(dataDir)
  if (path === null || !existsSync(path)) return null
  const text = await exchange(path, `${JSON.stringify({ action, asked })}\n`)
  if (text === null) return null
  const answer = JSON.parse(text) as { answer: AnswerTo<Name>; code?: string; details?: FailureDetails }
  if (answer.code !== undefined) throw new Failure(answer.code, answer.details)
  return answer.answer
}

/** The whole answer; null when nobody listens, or the connection ended without one. */
function exchange(path: string, line: string): Promise<string | null> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(path, () => socket.write(line))
    socket.setEncoding('utf8').setTimeout(PATIENCE_MS, () => socket.destroy())
    socket.on('data', (part: string) => {
      text += part
    })
    socket.on('error', () => resolve(null))
    socket.on('close', () => resolve(text.endsWith('\n') ? text : null))
  })
}
