import { describe, expect, it } from 'vitest'
import { type Sent, send, templates } from '../../test/path-trie-fixture.ts'
import { PathTrie } from './path-trie.ts'

/** What a page of a feature flag asks for. */
function featureTraffic(names: readonly string[]): Sent[] {
  const flag = ['name', 'type', 'enabled', 'stale']
  const strategy = ['id', 'constraints', 'parameters']
  return names.flatMap((name) => {
    const path = `/api/projects/default/features/${name}`
    return [
      { path, keys: flag },
      { path, method: 'PATCH', keys: flag },
      { path: `${path}/environments/live/strategies`, keys: strategy },
      { path: `${path}/environments/live/strategies`, method: 'POST', keys: strategy },
      { path: `${path}/environments/live/on`, method: 'POST', keys: flag },
      { path: `${path}/dependencies`, keys: ['feature', 'variants'] },
      { path: `${path}/variants`, keys: ['version', 'variants'] },
    ]
  })
}

/** What every collection of an interface offers, with answers of the same keys. */
function collectionTraffic(prefix: string, names: readonly string[]): Sent[] {
  return names.flatMap((name) => [
    { path: `${prefix}/${name}`, keys: ['items', 'total'] },
    { path: `${prefix}/${name}`, method: 'POST' },
    { path: `${prefix}/${name}/12` },
    { path: `${prefix}/${name}/12/history`, keys: ['events'] },
    { path: `${prefix}/${name}/export`, keys: ['url'] },
    { path: `${prefix}/${name}/stats`, keys: ['count', 'mean'] },
  ])
}

describe('a few names after a collection', () => {
  const LIST = { path: '/api/projects/default/features', keys: ['features', 'total'] }
  const FEATURES = '/api/projects/default/features'

  it('are values of a parameter when their subtrees are identical', () => {
    for (const names of [
      ['checkout', 'dark-mode', 'newSearch', 'beta-banner'],
      ['checkout', 'banner', 'payments', 'offers'],
    ]) {
      const trie = send(new PathTrie(), [LIST, ...featureTraffic(names)])
      expect(
        templates(
          trie,
          names.map((name) => `${FEATURES}/${name}/variants`),
        ),
      ).toEqual(names.map(() => `${FEATURES}/STRING/variants`))
      expect(templates(trie, [FEATURES])).toEqual([FEATURES])
    }
  })

  it('are values of a parameter also where nobody asked for the list above', () => {
    const names = ['checkout', 'dark-mode', 'newSearch', 'beta-banner']
    const trie = send(new PathTrie(), featureTraffic(names))
    expect(
      templates(
        trie,
        names.map((name) => `${FEATURES}/${name}/variants`),
      ),
    ).toEqual(names.map(() => `${FEATURES}/STRING/variants`))
  })

  it('are values at every other position of a path', () => {
    const names = ['checkout', 'dark-mode', 'newSearch', 'beta-banner']
    const elsewhere = names.flatMap((name) => [
      { path: `/api/events/${name}`, keys: ['events', 'total'] },
      { path: `/api/metrics/features/${name}/raw`, keys: ['data'] },
    ])
    const paths = elsewhere.map(({ path }) => path)
    const alone = send(new PathTrie(), elsewhere)
    expect(templates(alone, ['/api/events/checkout'])).toEqual(['/api/events/checkout'])
    const trie = send(new PathTrie(), [LIST, ...featureTraffic(names), ...elsewhere])
    expect(templates(trie, paths)).toEqual(
      names.flatMap(() => ['/api/events/STRING', '/api/metrics/features/STRING/raw']),
    )
  })

  it('stay names of collections where they hold identifiers, though they are values elsewhere', () => {
    const names = ['orders', 'parcels', 'invoices', 'vouchers']
    const trie = send(new PathTrie(), [
      LIST,
      ...featureTraffic(names),
      ...collectionTraffic('/api/shop', names),
    ])
    const paths = names.map((name) => `/api/shop/${name}/stats`)
    expect(templates(trie, paths)).toEqual(paths)
  })

  it('stay names when their subtrees differ', () => {
    const trie = send(new PathTrie(), [
      LIST,
      { path: `${FEATURES}/overview`, keys: ['health'] },
      { path: `${FEATURES}/overview/chart`, keys: ['points'] },
      { path: `${FEATURES}/archive`, keys: ['features', 'total'] },
      { path: `${FEATURES}/archive/restore`, keys: ['done'] },
      { path: `${FEATURES}/validate`, keys: ['valid', 'reason'] },
      { path: `${FEATURES}/validate/rules`, keys: ['rules'] },
    ])
    const names = ['overview', 'archive', 'validate'].map((name) => `${FEATURES}/${name}`)
    expect(templates(trie, names)).toEqual(names)
  })

  it('stay names when they are separate collections', () => {
    for (const prefix of ['/api', '/api/admin', '/api/resources']) {
      const names = ['orders', 'parcels', 'invoices', 'vouchers']
      const trie = send(new PathTrie(), [
        { path: prefix, keys: ['links'] },
        ...collectionTraffic(prefix, names),
      ])
      const paths = names.map((name) => `${prefix}/${name}/stats`)
      expect(templates(trie, paths)).toEqual(paths)
    }
  })
})

describe('areas of an interface with the same values below them', () => {
  it('stay names: only names of the interface that all have below tell that they are values', () => {
    const areas = ['CommandInjection', 'PathTraversal', 'BlindInjection', 'ErrorInjection', 'LdapInjection']
    const others = ['XmlInjection', 'OpenRedirect', 'ForgedRequests', 'RemoteInclusion', 'HtmlInjection']
    const trie = send(
      new PathTrie(),
      [...areas, ...others].flatMap((area, at) =>
        Array.from({ length: 6 }, (_, level) => ({
          path: `/app/${area}/LEVEL_${level + 1}`,
          keys: at % 3 === 0 ? ['content', 'isValid'] : ['content', 'isValid', `of${area}`],
        })),
      ),
    )
    expect(templates(trie, ['/app/CommandInjection/LEVEL_1', '/app/OpenRedirect/LEVEL_2'])).toEqual([
      '/app/CommandInjection/STRING',
      '/app/OpenRedirect/STRING',
    ])
  })
})
