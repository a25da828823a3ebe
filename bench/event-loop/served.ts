/** A server in a separate process, whose event loop is watched; `run.ts` starts it and asks over IPC. */
import { startTestServer } from '../../test/harness.ts'
import { LoopMonitor } from './monitor.ts'

const server = await startTestServer({ 'max-body-bytes': '64MiB' })
const monitor = new LoopMonitor()
process.on('message', (message) => {
  if (message === 'reset') monitor.reset()
  if (message === 'read') process.send?.(monitor.read())
  if (message === 'close') void server.close().then(() => process.exit(0))
})
process.on('disconnect', () => process.exit(1))
process.send?.({ baseUrl: server.baseUrl })
