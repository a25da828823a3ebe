import { expect, test } from 'vitest'
import { ask, refusal } from '../ask.ts'
import { DAY, type ThreatScene } from './scene.ts'

/** Statuses, suppressions, retention and the configuration. */
export function changeCases(scene: ThreatScene): void {
  test('an ignored event drops its like until it is looked at again', async () => {
    const first = scene.event({ url: '/noise' })
    await scene.put(first)
    const changed = await ask(scene.member, 'updateMaliciousEventStatus', {
      urls: ['/noise'],
      status: 'IGNORED',
    })
    expect(changed).toEqual({ updateSuccess: true, updateMessage: '1 event updated', updatedCount: 1 })
    expect(
      (await scene.put(scene.event({ url: '/noise' }), scene.event({ url: '/noise', filterId: 'Gone' })))
        .suppressed,
    ).toBe(1)
    const { suppressions } = await ask(scene.member, 'fetchThreatSuppressions')
    expect(suppressions).toMatchObject([{ url: '/noise', origin: 'EVENT', dropped: 1 }])
    expect((await ask(scene.guest, 'getDailyThreatActorsCount')).totalIgnoredStatus).toBe(1)
    await ask(scene.member, 'updateMaliciousEventStatus', { eventId: first.id, status: 'ACTIVE' })
    expect((await ask(scene.member, 'fetchThreatSuppressions')).suppressions).toEqual([])
    expect((await scene.put(scene.event({ url: '/noise' }))).stored).toHaveLength(1)
    expect(await ask(scene.member, 'deleteMaliciousEvents', { urls: ['/noise'] })).toMatchObject({
      deletedCount: 3,
    })
    expect((await ask(scene.guest, 'fetchSuspectSampleData')).total).toBe(0)
    expect(await refusal(scene.member, 'deleteMaliciousEvents', { urls: [] })).toEqual([
      422,
      'No events are selected',
    ])
    expect((await refusal(scene.guest, 'deleteMaliciousEvents', { urls: ['/a'] }))[0]).toBe(403)
  })

  test('an event ignored under a rule for one actor does not hide the attacks of others', async () => {
    const [mine, theirs] = ['192.0.2.41', '192.0.2.42']
    await scene.put(scene.event({ url: '/own-rule', actor: mine, ip: mine }))
    const { suppression } = await ask(scene.admin, 'addThreatSuppression', {
      filterId: scene.event().filterId,
      actor: mine,
      reason: 'our scanner',
    })
    const ignored = { urls: ['/own-rule'], status: 'IGNORED', suppress: false }
    expect((await ask(scene.member, 'updateMaliciousEventStatus', ignored)).updatedCount).toBe(1)
    expect((await ask(scene.member, 'fetchThreatSuppressions')).suppressions).toMatchObject([
      { id: suppression.id, origin: 'PERSON' },
    ])
    const again = (actor: string) => scene.put(scene.event({ url: '/own-rule', actor, ip: actor }))
    expect((await again(mine)).suppressed).toBe(1)
    expect((await again(theirs)).stored).toHaveLength(1)
    await ask(scene.admin, 'removeThreatSuppression', { id: suppression.id })
    await ask(scene.admin, 'deleteAllMaliciousEvents')
  })

  test('a suppression by hand needs a scope', async () => {
    expect(await refusal(scene.admin, 'addThreatSuppression', { reason: 'none' })).toEqual([
      422,
      'A suppression needs a scope',
    ])
    const { suppression } = await ask(scene.admin, 'addThreatSuppression', {
      host: 'Shop.test',
      reason: 'ours',
    })
    expect((await scene.put(scene.event())).suppressed).toBe(1)
    await ask(scene.admin, 'removeThreatSuppression', { id: suppression.id })
    expect((await scene.put(scene.event())).suppressed).toBe(0)
    await ask(scene.admin, 'deleteAllMaliciousEvents')
  })

  test('old events go, with what is left of them', async () => {
    const now = Math.floor(Date.now() / 1000)
    await scene.put(
      scene.event({ detectedAt: now - 61 * DAY, actor: '192.0.2.61', url: '/old' }),
      scene.event({ detectedAt: now - 59 * DAY }),
    )
    await scene.server.running.app.threats.purge()
    expect((await ask(scene.guest, 'fetchSuspectSampleData')).maliciousEvents).toMatchObject([
      { url: scene.event().url },
    ])
    expect((await ask(scene.guest, 'fetchFiltersForThreatActors')).actorId).toEqual(['203.0.113.9'])
    await ask(scene.admin, 'modifyThreatConfiguration', {
      threatConfiguration: { actor: null, archivalEnabled: null, archivalDays: 30 },
    })
    await scene.server.running.app.threats.purge()
    expect((await ask(scene.guest, 'fetchSuspectSampleData')).total).toBe(0)
    const { rows } = await scene.store.pool.query(
      'SELECT FROM threat_messages UNION ALL SELECT FROM threat_facets',
    )
    expect(rows).toHaveLength(0)
  })

  test('the configuration keeps what is not sent', async () => {
    const actorId = [{ type: 'header', key: 'X-Client-Id', kind: 'hostname', pattern: '^api\\.' }]
    const set = (threatConfiguration: object) =>
      ask(scene.admin, 'modifyThreatConfiguration', { threatConfiguration })
    await set({ actor: { actorId }, archivalEnabled: null, archivalDays: 60 })
    await set({ actor: null, archivalEnabled: false })
    expect(
      await refusal(scene.admin, 'modifyThreatConfiguration', { threatConfiguration: { archivalDays: 5 } }),
    ).toEqual([422, 'Invalid value for threatConfiguration.archivalDays'])
    expect((await ask(scene.guest, 'fetchThreatConfiguration')).threatConfiguration).toEqual({
      actor: { actorId: [{ ...actorId[0], key: 'x-client-id' }] },
      archivalEnabled: false,
      archivalDays: 60,
    })
    const bad = {
      actor: { actorId: [{ ...actorId[0], pattern: '(' }] },
      archivalEnabled: null,
      archivalDays: null,
    }
    expect((await refusal(scene.admin, 'modifyThreatConfiguration', { threatConfiguration: bad }))[0]).toBe(
      422,
    )
    await set({ actor: { actorId: [] }, archivalEnabled: true, archivalDays: 60 })
  })
}
