import type { Exchange } from '../../../src/http/index.ts'
import { type Store, usingTransaction } from '../../../src/store/index.ts'
import type { NewEvent } from '../../../src/threat/findings.ts'
import { eventId, storeEvents } from '../../../src/threat/index.ts'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../../harness.ts'
import { type Receiver, startReceiver } from '../../receiver.ts'
import { ask, messageLines } from '../ask.ts'

export const DAY = 86_400
/** Noon of a day in the past that retention still keeps. */
export const NOON = Math.floor(Date.now() / 1000 / DAY) * DAY - 10 * DAY + DAY / 2
export const FILTER = `id: OwnSqlFilter
filter:
  or:
    - request_payload:
        regex: ["(?i)union\\\\s+select"]
    - url:
        regex: ["(?i)union[+ ]select"]
info:
  name: Own SQL filter
  category: {name: OWN_SQL, displayName: Own SQL}
  subCategory: OWN_SQL_UNION
  severity: HIGH
`

export function exchangeTo(target: string, at: number): Exchange {
  return {
    request: { method: 'GET', target, version: 'HTTP/1.1', headers: ['Host', 'shop.test'], body: '' },
    response: { status: 200, reason: 'OK', headers: ['content-type', 'application/json'], body: '{"a":"é"}' },
    at,
    clientIp: '203.0.113.9',
    serverIp: '',
    source: 'MIRRORING',
    direction: 1,
    vxlanId: 0,
  }
}

/** A server with people, two collections and a receiver of alerts, which all scenarios of threats share. */
export class ThreatScene {
  server!: TestServer
  admin!: TestPerson
  member!: TestPerson
  guest!: TestPerson
  /** Collection of shop.test. */
  shop!: number
  /** Collection of other.test. */
  other!: number
  chat!: Receiver
  #number = 0

  async open(): Promise<void> {
    this.chat = await startReceiver()
    this.server = await startTestServer({ 'allowed-alert-targets': this.chat.host })
    this.admin = await signUpPerson(this.server, 'admin@example.org')
    this.member = await joinPerson(this.server, this.admin, 'member@example.org', 'MEMBER')
    this.guest = await joinPerson(this.server, this.admin, 'guest@example.org', 'GUEST')
    const taken = async (apiCollectionName: string, path: string) =>
      (await ask(this.server, 'importTraffic', { apiCollectionName, content: messageLines([{ path }]) }))
        .apiCollectionId
    this.shop = await taken('shop', 'https://shop.test/rest/a')
    this.other = await taken('other', 'https://other.test/rest/b')
  }

  async close(): Promise<void> {
    await this.server.close()
    await this.chat.close()
  }

  get store(): Store {
    return this.server.running.app.store
  }

  /** An event of its own; what is not given is that of {@link FILTER} on the shop at {@link NOON}. */
  event(change: Partial<NewEvent> = {}): NewEvent {
    const id = eventId(`scenario ${this.#number++}`, 'SQLInjection', '')
    const url = change.url ?? '/rest/products/search?q=%27--'
    const detectedAt = change.detectedAt ?? NOON
    return {
      id,
      refId: id,
      filterId: 'OwnSqlFilter',
      category: 'OWN_SQL',
      subCategory: 'OWN_SQL_UNION',
      severity: 'HIGH',
      type: 'Rule-Based',
      eventType: 'SINGLE',
      label: 'threat',
      status: 'ACTIVE',
      isSuccessfulExploit: false,
      actor: '203.0.113.9',
      ip: '203.0.113.9',
      country: 'AU',
      destCountry: '',
      collectionId: this.shop,
      host: 'shop.test',
      method: 'GET',
      url,
      detectedAt,
      messages: [
        {
          exchange: exchangeTo(url, detectedAt),
          evidence: [{ location: 'url', name: 'q', view: 'percent', start: 2, end: 5, phrase: "'--" }],
        },
      ],
      ...change,
    }
  }

  put(...events: NewEvent[]): ReturnType<typeof storeEvents> {
    return usingTransaction(this.store.pool, (client) => storeEvents(client, events))
  }

  /** Six events: two actors, two days, three kinds, two collections and none. */
  async putSix(): Promise<void> {
    await this.put(
      this.event({ detectedAt: NOON }),
      this.event({
        detectedAt: NOON + 60,
        url: '/rest/login',
        method: 'POST',
        severity: 'CRITICAL',
        isSuccessfulExploit: true,
      }),
      this.event({
        detectedAt: NOON + DAY,
        filterId: 'Gone',
        category: 'OTHER',
        subCategory: 'XSS',
        severity: 'LOW',
      }),
      this.event({
        detectedAt: NOON + DAY,
        actor: '203.0.113.10',
        ip: '203.0.113.10',
        country: '',
        severity: 'LOW',
      }),
      this.event({
        detectedAt: NOON + DAY + 1,
        actor: '203.0.113.10',
        ip: '198.51.100.4',
        country: 'US',
        collectionId: this.other,
        host: 'other.test',
        url: '/b',
      }),
      this.event({
        detectedAt: NOON + 2 * DAY,
        actor: '203.0.113.11',
        ip: '203.0.113.11',
        collectionId: 0,
        host: '',
        url: '/free',
        severity: 'MEDIUM',
      }),
    )
  }

  /** Lets the guest see these collections alone; null for all. */
  async restrict(collectionIds: number[] | null): Promise<void> {
    const { users } = await ask(this.admin, 'getTeamData')
    const user = users.find(({ login }) => login === this.guest.email)!
    await ask(this.admin, 'updateUserCollections', { userCollectionMap: { [user.id]: collectionIds } })
  }
}
