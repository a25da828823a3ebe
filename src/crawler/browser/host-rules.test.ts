import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { TargetScope } from '../../http/sender/index.ts'
import { hostRules } from './host-rules.ts'

const scope = (...hosts: string[]): TargetScope => new TargetScope(hosts)
const to =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

test('leads each host to one address that was checked, and everything else nowhere', async () => {
  const urls = [
    new URL('https://shop.example/a'),
    new URL('https://shop.example/b'),
    new URL('http://10.1.2.3:8080'),
  ]
  expect(
    await hostRules(urls, scope('shop.example', '10.1.2.3:8080'), { resolve: to('93.184.216.34') }),
  ).toBe('MAP shop.example 93.184.216.34,MAP 10.1.2.3 10.1.2.3,MAP * ~NOTFOUND')
})

test('refuses names that lead to private or metadata addresses, and hosts that nobody named', async () => {
  const shop = [new URL('https://shop.example')]
  for (const address of ['10.0.0.7', '169.254.169.254', '127.0.0.1'])
    await expect(hostRules(shop, scope('shop.example'), { resolve: to(address) })).rejects.toMatchObject({
      code: 'TARGET_OUT_OF_SCOPE',
    })
  await expect(
    hostRules(shop, scope('other.example'), { resolve: to('93.184.216.34') }),
  ).rejects.toMatchObject({
    code: 'TARGET_OUT_OF_SCOPE',
  })
})

test('leaves further hosts out that cannot be reached, but not the first', async () => {
  const gone = async (): Promise<never> => {
    throw new Error('ENOTFOUND')
  }
  const urls = [new URL('http://127.0.0.1:3000'), new URL('https://cdn.example')]
  expect(await hostRules(urls, scope('127.0.0.1:3000', 'cdn.example'), { resolve: gone })).toBe(
    'MAP 127.0.0.1 127.0.0.1,MAP * ~NOTFOUND',
  )
  await expect(hostRules([urls[1]!], scope('cdn.example'), { resolve: gone })).rejects.toMatchObject({
    code: 'TARGET_UNREACHABLE',
  })
})

test('writes addresses of version 6 as the browser wants them', async () => {
  expect(await hostRules([new URL('http://[::1]:3000')], scope('[::1]:3000'))).toBe(
    'MAP ::1 [::1],MAP * ~NOTFOUND',
  )
})

test('leaves names with allowed endings to the system', async () => {
  const rules = await hostRules([new URL('http://127.0.0.1')], scope('127.0.0.1'), { endings: ['*.example'] })
  expect(rules).toBe('MAP 127.0.0.1 127.0.0.1,MAP * ~NOTFOUND,EXCLUDE *.example')
})

test('takes the address at which somebody listens', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const url = new URL(`http://localhost:${port}`)
  expect(await hostRules([url], scope(url.host), { resolve: to('::1', '127.0.0.1') })).toMatch(
    /^MAP localhost 127\.0\.0\.1,/,
  )
  server.close()
})
