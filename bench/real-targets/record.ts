import { type ObservedMessage, RecordingClient } from '../../test/recording-client.ts'
import type { Person, Recorded, Visit } from './target.ts'

const ADDRESSES: Readonly<Record<Person, string>> = {
  owner: '203.0.113.10',
  attacker: '203.0.113.20',
  administrator: '203.0.113.30',
}
/** Visits follow each other in this distance, as the times of their messages say. */
const DISTANCE_SECONDS = 60

/** Lets everybody use an application in an order, the newest last. */
export async function record(origin: string, visit: Visit, order: readonly Person[]): Promise<Recorded> {
  const messages: ObservedMessage[] = []
  const headers: Partial<Record<Person, Readonly<Record<string, string>>>> = {}
  for (const [at, person] of order.entries()) {
    const client = new RecordingClient(origin, ADDRESSES[person])
    await visit(client, person)
    const earlier = (order.length - 1 - at) * DISTANCE_SECONDS
    messages.push(...client.messages.map((message) => ({ ...message, time: message.time - earlier })))
    headers[person] = client.headers
  }
  return { messages, headers: headers as Recorded['headers'] }
}

/** Every order of recording. */
export function ordersOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items]
  return items.flatMap((item, at) => ordersOf(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}

/** The JSON of an answer that must be a success. */
export function jsonOf<T>({ text, status }: { readonly text: string; readonly status: number }): T {
  if (status >= 400) throw new Error(`the target answered ${status}: ${text.slice(0, 300)}`)
  return JSON.parse(text) as T
}
