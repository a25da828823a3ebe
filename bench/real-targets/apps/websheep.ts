import type { RecordingClient } from '../../../test/recording-client.ts'
import { cookiesOf } from '../api.ts'
import { jsonOf } from '../record.ts'
import type { Target } from '../target.ts'

const SHEEP_USERS = [
  { userName: 'foobar', password: 'zTAr@6y60PwJ' },
  { userName: 'karinelemarchand', password: '123456' },
] as const

/**
 * Websheep by Marmicode: one API in variants under their own paths, each wrong in another way, used by two farmers.
 * It has no administrator, and keeps what it knows in memory.
 */
export const websheep: readonly Target[] = [
  'authz1',
  'authz2',
  'jwt1',
  'jwt2',
  'csrf1',
  'csrf2',
  'csrf3',
].map(
  (variant): Target => ({
    name: `websheep-${variant}`,
    sound: false,
    make: 'Node.js, REST',
    source: 'github.com/marmicode/websheep',
    prepare: () =>
      Promise.resolve(async (client, person) => {
        if (person === 'administrator') return
        await sheepDay(client, `/${variant}`, SHEEP_USERS[person === 'attacker' ? 0 : 1])
      }),
    routes: () => Promise.resolve([]),
    volatile: [],
    weaknesses: [],
    judged: [],
  }),
)

async function sheepDay(
  client: RecordingClient,
  base: string,
  credentials: (typeof SHEEP_USERS)[number],
): Promise<void> {
  const answer = await client.call('POST', `${base}/tokens`, credentials)
  const { token, userId } = jsonOf<{ token?: string; userId: string }>(answer)
  client.headers = token === undefined ? { cookie: cookiesOf(answer) } : { authorization: `Bearer ${token}` }
  const farmer = `${base}/farmers/${userId}`
  const shown = jsonOf<Record<string, unknown>>(await client.call('GET', farmer))
  await client.call('PATCH', farmer, { firstName: shown['firstName'] })
  const { items } = jsonOf<{ items: { id: string }[] }>(await client.call('GET', `${farmer}/farms`))
  await client.call('GET', `${farmer}/sheep`)
  await client.call('POST', `${base}/sheep`, {
    name: 'Dolly',
    age: 1,
    eyeCount: 2,
    gender: 'female',
    ...(items[0] === undefined ? {} : { farm: { id: items[0].id } }),
  })
}
