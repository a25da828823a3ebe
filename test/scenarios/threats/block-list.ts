import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ask, refusal } from '../ask.ts'
import type { ThreatScene } from './scene.ts'

/** Statuses of actors, and the list of those that gateways refuse. */
export function blockListCases(scene: ThreatScene): void {
  const list = (query = '', headers: Record<string, string> = {}) =>
    fetch(`${scene.server.baseUrl}/api/blocklist${query}`, {
      headers: { 'x-api-key': 'testkeytestkeytestkeytestkeytestkeytestk', ...headers },
    })

  test('holds who is blocked, with an entity tag, in the form that a gateway takes', async () => {
    expect(
      await ask(scene.member, 'modifyThreatActorStatus', { actorIp: '203.0.113.9', status: 'Blocked' }),
    ).toMatchObject({
      actorIp: '203.0.113.9',
      status: 'Blocked',
    })
    await ask(scene.member, 'bulkModifyThreatActorStatus', {
      actorIps: ['2001:db8::9', '10.0.0.1', 'authorization:00ff…_ada'],
      status: 'blocked',
      reason: 'Scanner',
    })
    const first = await list()
    expect(await first.text()).toBe('2001:db8::9\n203.0.113.9\n')
    const tag = first.headers.get('etag')!
    expect((await list('', { 'if-none-match': tag })).status).toBe(304)
    expect((await list('', { 'if-none-match': `W/"x", ${tag}` })).status).toBe(304)
    expect(await (await list('?format=nginx')).text()).toContain('deny 203.0.113.9;\n')
    expect(await (await list('?format=envoy')).text()).toContain(
      'address_prefix: "2001:db8::9", prefix_len: 128',
    )
    expect(await (await list('?format=kong')).text()).toContain('- "203.0.113.9/32"')
    expect(await (await list('?format=json')).json()).toMatchObject({
      addresses: ['2001:db8::9', '203.0.113.9'],
      leftOut: ['10.0.0.1'],
    })
    expect((await list('?format=xml')).status).toBe(422)
    expect((await fetch(`${scene.server.baseUrl}/api/blocklist`)).status).toBe(403)
    const file = join(scene.server.settings.dataDir, 'blocklist', 'blocklist.txt')
    expect(await readFile(file, 'utf8')).toBe('2001:db8::9\n203.0.113.9\n')
    await ask(scene.member, 'modifyThreatActorStatus', { actorIp: '203.0.113.9', status: 'active' })
    expect((await list('', { 'if-none-match': tag })).status).toBe(200)
    expect(await readFile(file, 'utf8')).toBe('2001:db8::9\n')
  })

  test('a status ends when its time is over, and every change is noted', async () => {
    const expiresAt = Math.floor(Date.now() / 1000) - 1
    await ask(scene.member, 'modifyThreatActorStatus', {
      actorIp: '192.0.2.1',
      status: 'blocked',
      expiresAt,
      reason: 'r',
    })
    expect(await (await list()).text()).not.toContain('192.0.2.1')
    const { statusChanges } = await ask(scene.guest, 'fetchThreatActorHistory', { actor: '192.0.2.1' })
    expect(statusChanges.at(-1)).toMatchObject({
      fromStatus: 'active',
      toStatus: 'blocked',
      changedBy: 'member@example.org',
      reason: 'r',
    })
  })

  test.each(['', '   ', 'a'.repeat(33), 'blocked;', 'a\nb'])('%j is no status', async (status) => {
    expect(await refusal(scene.member, 'modifyThreatActorStatus', { actorIp: '192.0.2.2', status })).toEqual([
      422,
      'Invalid status',
    ])
  })

  test('the answer names blocked actors that gateways let through, with the reason', async () => {
    const reasons = {
      '0.0.0.0/0': 'RANGE',
      '8.8.8.8/8': 'RANGE',
      '127.0.0.1': 'TRUSTED_PROXY',
      '10.0.0.5': 'TRUSTED_PROXY',
      '7.7.7.7; allow all': 'NO_ADDRESS',
    }
    for (const [actorIp, reason] of Object.entries(reasons)) {
      const { notEnforced } = await ask(scene.member, 'modifyThreatActorStatus', {
        actorIp,
        status: 'blocked',
      })
      expect(notEnforced).toEqual([{ actor: actorIp, reason, explanation: expect.stringMatching(/\.$/) }])
    }
    const actorIps = [...Object.keys(reasons), '7.7.7.7']
    const bulk = (status: string, expiresAt = 0) =>
      ask(scene.member, 'bulkModifyThreatActorStatus', { actorIps, status, expiresAt })
    const all = await bulk('Blocked')
    expect(all.notEnforced?.map(({ actor }) => actor)).toEqual(Object.keys(reasons))
    expect(await (await list()).text()).toContain('7.7.7.7\n')
    expect((await bulk('blocked', 1)).notEnforced?.at(-1)).toMatchObject({
      actor: '7.7.7.7',
      reason: 'TIME_IS_OVER',
    })
    expect((await bulk('active')).notEnforced).toEqual([])
  })

  test('an actor is echoed as it is kept, and one that would be cut is refused', async () => {
    const set = { status: 'active' }
    expect(
      await ask(scene.member, 'modifyThreatActorStatus', { ...set, actorIp: ' 192.0.2.3 ' }),
    ).toMatchObject({
      actorIp: '192.0.2.3',
    })
    for (const actorIp of ['a'.repeat(201), 'é'.repeat(101)]) {
      const refused = await refusal(scene.member, 'modifyThreatActorStatus', { ...set, actorIp })
      expect(refused[0]).toBe(422)
      expect(
        (await refusal(scene.member, 'bulkModifyThreatActorStatus', { ...set, actorIps: [actorIp] }))[0],
      ).toBe(422)
    }
    expect(
      (await ask(scene.member, 'modifyThreatActorStatus', { ...set, actorIp: 'a'.repeat(200) })).actorIp,
    ).toHaveLength(200)
  })

  test('an actor has to be named, and guests change none', async () => {
    expect(
      await refusal(scene.member, 'modifyThreatActorStatus', { actorIp: ' ', status: 'blocked' }),
    ).toEqual([422, 'actorIp is required'])
    expect(
      (await refusal(scene.guest, 'modifyThreatActorStatus', { actorIp: '192.0.2.2', status: 'blocked' }))[0],
    ).toBe(403)
  })
}
