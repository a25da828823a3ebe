import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startTestServer, type TestServer, testKey } from '../../test/harness.ts'

let server: TestServer
let isStopped = false

afterEach(async () => {
  if (!isStopped) await server.stop()
  await server.place.dispose()
})

/** Opens a call whose body is not complete yet; resolves once the server has taken it up. */
async function openCall(): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(server.port, '127.0.0.1')
  const answer = new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (data) => {
      text += data.toString()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', () => resolve(text))
  })
  socket.write(
    `POST /api/fetchOwnUser HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${testKey}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{`,
  )
  const inFlight = async () => {
    const answer = await fetch(`${server.baseUrl}/metrics`, { headers: { 'x-api-key': testKey } })
    return /^vigil_body_bytes_in_flight (\d+)$/m.exec(await answer.text())?.[1]
  }
  await expect.poll(inFlight).toBe('2')
  return { socket, answer }
}

test('a running call is answered before the server ends, new connections are refused', async () => {
  server = await startTestServer()
  const { socket, answer } = await openCall()
  const stopped = server.stop()
  isStopped = true
  await expect
    .poll(() =>
      fetch(`${server.baseUrl}/health`).then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed')
  socket.write('}')
  expect(await answer).toMatch(/^HTTP\/1\.1 200/)
  await stopped
})

test('a call that never ends is cut when patience is over', async () => {
  server = await startTestServer({ 'body-idle-seconds': '60' })
  isStopped = false
  const { answer } = await openCall()
  isStopped = true
  const started = performance.now()
  await server.stop(200)
  expect(performance.now() - started).toBeLessThan(5_000)
  expect(await answer).toBe('')
})
