import { expect, test } from 'vitest'
import { announceEvents } from '../../../src/app/threat/announce-events.ts'
import { usingTransaction } from '../../../src/store/index.ts'
import { storeEvents } from '../../../src/threat/index.ts'
import { ask, message } from '../ask.ts'
import { DAY, FILTER, type ThreatScene } from './scene.ts'

/** How events come: from live messages, to channels, from other detectors. */
export function arrivalCases(scene: ThreatScene): void {
  test('a message that a filter matches becomes an event', async () => {
    await ask(scene.admin, 'saveFilterYamlTemplate', { content: FILTER })
    const at = Math.floor(Date.now() / 1000)
    const batchData = [
      message({
        path: '/live?q=1+union+select+2',
        time: at,
        ip: '10.0.0.9',
        requestHeaders: { host: 'live.test', 'x-forwarded-for': '6.6.6.6, 8.8.8.8' },
      }),
      message({ path: '/live?q=harmless', time: at, ip: '8.8.8.8', requestHeaders: { host: 'live.test' } }),
    ]
    await ask(scene.server, 'ingestData', { batchData })
    await ask(scene.server, 'ingestData', { batchData })
    const { maliciousEvents } = await ask(scene.guest, 'fetchSuspectSampleData', {
      latestAttack: ['OwnSqlFilter'],
    })
    expect(maliciousEvents).toMatchObject([
      {
        actor: '8.8.8.8',
        ip: '8.8.8.8',
        country: 'US',
        host: 'live.test',
        url: '/live?q=1+union+select+2',
        severity: 'HIGH',
      },
    ])
  })

  test('channels hear of new events in one message, and of who is blocked at once', async () => {
    await ask(scene.admin, 'addCustomWebhook', {
      webhookType: 'DEFAULT',
      url: `${scene.chat.url}/threats`,
      selectedWebhookOptions: ['NEW_THREATS', 'ACTOR_STATUS'],
      leastSeverity: 'MEDIUM',
    })
    const found = [
      scene.event({ actor: '192.0.2.7', severity: 'MEDIUM', url: '/medium' }),
      scene.event({ actor: '192.0.2.7', severity: 'CRITICAL', url: '/critical' }),
      scene.event({ severity: 'LOW' }),
      scene.event({ status: 'IGNORED' }),
    ]
    for (const one of found)
      await usingTransaction(scene.store.pool, async (client) => {
        const { stored } = await storeEvents(client, [one])
        await announceEvents(client, stored, Math.floor(Date.now() / 1000))
      })
    await scene.store.pool.query(`UPDATE outgoing_messages SET next_at = 0 WHERE state = 'GATHERING'`)
    await ask(scene.member, 'modifyThreatActorStatus', {
      actorIp: '192.0.2.7',
      status: 'blocked',
      reason: 'Scanner',
    })
    await expect.poll(() => scene.chat.heard.length).toBe(2)
    const bodies = scene.chat.heard.map(
      ({ body }) => JSON.parse(body) as { event: string; title: string; data: object },
    )
    const [threats, status] = bodies.toSorted((a, b) => b.event.localeCompare(a.event))
    expect(threats).toMatchObject({
      title: '2 new malicious events',
      data: {
        counts: { CRITICAL: 1, HIGH: 0, MEDIUM: 1, LOW: 0 },
        threats: [{ url: '/critical', actor: '192.0.2.7' }, { url: '/medium' }],
      },
    })
    expect(status).toMatchObject({
      title: 'Threat actor 192.0.2.7: blocked',
      data: { actors: ['192.0.2.7'], status: 'blocked', setBy: 'member@example.org', reason: 'Scanner' },
    })
  })

  test('another detector may send what it found, again and again', async () => {
    const now = Math.floor(Date.now() / 1000)
    const sent = {
      actor: '198.51.100.77',
      filter_id: 'Outside',
      detectedAt: String(now),
      latestApiEndpoint: '/outside?x=1',
      latest_api_method: 'PUT',
      latestApiPayload: 'method: "PUT" path: "/outside?x=1" request_payload: "\\303\\251" status_code: 201',
      metadata: { countryCode: 'DE' },
      severity: 'LOW',
      unknown: [1],
    }
    const post = (maliciousEvent: object) =>
      scene.server.post('/api/threat_detection/record_malicious_event', {
        maliciousEvent,
        sampleRequests: [],
      })
    const first = await post(sent)
    expect([first.status, await first.text()]).toEqual([202, ''])
    expect((await post(sent)).status).toBe(202)
    const { maliciousEvents } = await ask(scene.guest, 'fetchSuspectSampleData', {
      latestAttack: ['Outside'],
    })
    expect(maliciousEvents).toMatchObject([
      { method: 'PUT', country: 'DE', ip: '198.51.100.77', type: 'Rule-Based' },
    ])
    expect(maliciousEvents![0]!.payload).toContain('request_payload: "\\303\\251"\nstatus_code: 201\n')
    const refused = async (change: object) => {
      const answer = await post({ ...sent, ...change })
      return [answer.status, ((await answer.json()) as { actionErrors: string[] }).actionErrors[0]]
    }
    expect(await refused({ actor: '' })).toEqual([422, 'maliciousEvent.actor is required'])
    expect(await refused({ status: 'TRAINING' })).toEqual([422, 'Invalid value for maliciousEvent.status'])
    expect(await refused({ latestApiPayload: 'method: "' })).toEqual([
      422,
      expect.stringContaining('not a message'),
    ])
    expect(await refused({ detectedAt: now - 90 * DAY })).toEqual([
      422,
      expect.stringContaining('older than'),
    ])
  })
}
