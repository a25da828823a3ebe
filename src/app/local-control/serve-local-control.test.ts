import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '../../kit/log.ts'
import { controlSocket } from './control-socket.ts'
import { serveLocalControl } from './serve-local-control.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-end-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('it ends although clients that got an answer, or asked nothing, keep their connections open', async () => {
  const end = await serveLocalControl(folder, {} as never, createLog('info', { write: () => {} }))
  const open = () => connect({ path: controlSocket(folder)!, allowHalfOpen: true })
  const [asking, silent] = [open(), open()]
  await once(silent, 'connect')
  asking.write('{"action":"unknown"}\n')
  const [answer] = await once(asking, 'data')
  expect(String(answer)).toContain('BAD_COMMAND')
  try {
    await end()
  } finally {
    asking.destroy()
    silent.destroy()
  }
})
