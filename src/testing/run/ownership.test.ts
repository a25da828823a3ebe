import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS, MessageView } from '../../rules/index.ts'
import { ATTACKER_ROLE, type RequestDraft } from '../attempts/index.ts'
import { Callers } from '../callers/index.ts'
import type { Template } from '../template/index.ts'
import { FreshAnswers } from './fresh-answers.ts'
import type { Trial } from './judge.ts'
import { listingOf } from './listing.ts'
import { ownershipOf } from './ownership.ts'
import type { AttemptRecord, EndpointKey } from './pair-result.ts'
import { type RunMaterial, runTools } from './run-tools.ts'
import { SampleShelf } from './sample-shelf.ts'

const keyOf = (url: string): EndpointKey => ({ collectionId: 1, method: 'GET', url })

function tokenOf(name: string): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `Bearer ${part({ alg: 'HS256' })}.${part({ sub: name })}.c2lnbmF0dXJl`
}

function askedBy(name: string, target: string, body: unknown = {}): Exchange {
  const exchange = rawSample(`GET ${target} HTTP/1.1\nhost: work.test\nauthorization: ${tokenOf(name)}\n\n`)
  const [type, text] =
    typeof body === 'string' ? ['text/csv', body] : ['application/json', JSON.stringify(body)]
  return { ...exchange, response: { ...exchange.response, headers: ['content-type', type], body: text } }
}

/** An application whose objects olga was recorded using; what otto, the attacker, is answered, by path. */
interface Application {
  /** Path templates, each with what was recorded there. */
  readonly recorded: Record<string, Exchange[]>
  readonly answers: Record<string, unknown>
}

/** What is made of a request of olga's that otto gets an answer to. */
async function judged(application: Application, template: string, method = 'GET') {
  const ownership = await ownershipIn(application, template, method)
  return { isListed: ownership?.isListed, isFinding: ownership?.control === null }
}

async function ownershipIn({ recorded, answers }: Application, template: string, method = 'GET') {
  const samples = new SampleShelf()
  for (const [url, all] of Object.entries(recorded)) samples.put(keyOf(url), ...all)
  const callers = new Callers(() => ['authorization'])
  for (const one of samples.everyOf(1)) callers.learn(one)
  const parameters = [{ where: 'HEADER' as const, key: 'authorization', value: tokenOf('otto') }]
  const answerTo = (target: string): Exchange => askedBy('otto', target, answers[target])
  const material = {
    samples,
    callers,
    credentialsFor: () => ({ parametersOf: () => parameters, authHeaderNames: ['authorization'] }),
    freshAnswers: new FreshAnswers(),
    lookups: EMPTY_LOOKUPS,
    templates: new Map(),
    sender: {
      send: ({ url }: { url: string }) =>
        Promise.resolve({ response: answerTo(new URL(url).pathname).response, totalMs: 1 }),
    },
  } as unknown as RunMaterial
  const tools = runTools(material, AbortSignal.timeout(10_000))
  const sample = recorded[template]![0]!
  const send = ({ url }: RequestDraft): Promise<Exchange> => Promise.resolve(answerTo(new URL(url).pathname))
  const endpoint = { ...keyOf(template), method }
  const trial = {
    template: {
      needs: [{ kind: 'attacker' }, { kind: 'parameter values' }],
      execute: { steps: [] },
    } as unknown as Template,
    endpoint,
    sample: new MessageView(sample),
    tools: {
      lookups: EMPTY_LOOKUPS,
      listAnswer: () => Promise.resolve(null),
      isPartOfShared: (role: string, key: EndpointKey) => tools.isPartOfShared(role, key),
      listingFor: (role: string, _endpoint: EndpointKey, answer: Exchange) => {
        expect(role).toBe(ATTACKER_ROLE)
        return listingOf({ material, role, endpoint, recorded: sample, answer }, send)
      },
    },
  } as unknown as Trial
  const proof = { exchange: answerTo(sample.request.target) } as AttemptRecord
  return ownershipOf(trial, proof, false)
}

const INVOICE = { id: 1, customer: 'Ann', currency: 'EUR', amount: 99.5, status: 'open' }
const OTHERS = { ...INVOICE, customer: 'Zoe', amount: 20 }

/** Invoices of tenants; olga belongs to tenant 7, otto to tenant 9. */
function invoices(listed: object, lines: unknown = [{ sku: 'pen', amount: 99.5 }]): Application {
  const [one, all] = ['/tenants/INTEGER/invoices/INTEGER', '/tenants/INTEGER/invoices']
  return {
    recorded: {
      [one]: [askedBy('olga', '/tenants/7/invoices/1'), askedBy('otto', '/tenants/9/invoices/1')],
      [`${one}/lines`]: [askedBy('olga', '/tenants/7/invoices/1/lines')],
      [all]: [askedBy('otto', '/tenants/9/invoices')],
    },
    answers: {
      '/tenants/9/invoices': [listed],
      '/tenants/9/invoices/1': OTHERS,
      '/tenants/7/invoices/1': INVOICE,
      '/tenants/7/invoices/1/lines': lines,
    },
  }
}

const ONE = '/tenants/INTEGER/invoices/INTEGER'

test('an entry with the same number as the object of another tenant does not refute a finding', async () => {
  expect(await judged(invoices(OTHERS), ONE)).toEqual({ isListed: true, isFinding: true })
  expect(await judged(invoices(OTHERS), `${ONE}/lines`)).toEqual({ isListed: true, isFinding: true })
})

test('an object that the list of the attacker shows with the same values is not reported when it is read', async () => {
  expect(await judged(invoices(INVOICE), ONE)).toEqual({ isListed: true, isFinding: false })
  expect(await judged(invoices(INVOICE), ONE, 'PUT')).toEqual({ isListed: true, isFinding: true })
  expect(await judged(invoices({ id: 2 }), ONE)).toEqual({ isListed: false, isFinding: true })
})

/** Flags of a project that all of its editors share, with more values than their list shows. */
function flags(tags: unknown): Application {
  const flag = { name: 'new', type: 'release', project: 'default', description: 'Banner', stale: false }
  const list = '/projects/default/flags'
  return {
    recorded: {
      '/flags/STRING/tags': [askedBy('olga', '/flags/new/tags')],
      '/events/STRING': [askedBy('olga', '/events/new')],
      [`${list}/STRING`]: [askedBy('olga', `${list}/new`)],
      [list]: [askedBy('olga', list), askedBy('otto', list)],
    },
    answers: {
      [list]: { flags: [{ name: 'old', type: 'kill', project: 'default', description: 'Old' }, flag] },
      [`${list}/new`]: { ...flag, strategies: ['a', 'b', 'c'], lifecycle: { stage: 'live', at: 7 } },
      '/flags/new/tags': tags,
      '/events/new': { events: tags },
    },
  }
}

test('a part of an object that the list shows is not reported, unless it may hold what people keep to themselves', async () => {
  const isFinding = async (tags: unknown) => (await judged(flags(tags), '/flags/STRING/tags')).isFinding
  expect(await isFinding([{ type: 'simple', value: 'olga' }])).toBe(false)
  expect(await isFinding([])).toBe(false)
  expect(await isFinding([{ type: 'simple', secret: 'hidden' }])).toBe(true)
  expect(await isFinding('tag,owner\nsimple,olga')).toBe(true)
})

test('what is kept about a listed object below another name is a part of it', async () => {
  const isFinding = async (events: unknown) => (await judged(flags(events), '/events/STRING')).isFinding
  expect(await isFinding([{ type: 'created', by: 'olga' }])).toBe(false)
  expect(await isFinding([{ type: 'created', phone: '+49 228 1' }])).toBe(true)
})

test('what is counted below another name is another object', async () => {
  const { recorded, answers } = invoices(INVOICE)
  const events = {
    recorded: { ...recorded, '/events/INTEGER': [askedBy('olga', '/events/1')] },
    answers: { ...answers, '/events/1': [{ type: 'created' }] },
  }
  expect(await judged(events, '/events/INTEGER')).toEqual({ isListed: false, isFinding: true })
})

/** An organization that every user may look up, and what else is kept about it. */
function organization(kept: string, answer: unknown): Application {
  const acme = { slug: 'acme-corp', name: 'Acme', city: 'Bonn' }
  const list = '/organizations'
  return {
    recorded: {
      [kept.replace('acme-corp', 'STRING')]: [askedBy('olga', kept)],
      [`${list}/STRING`]: [askedBy('olga', `${list}/acme-corp`)],
      [list]: [askedBy('otto', list)],
    },
    answers: { [list]: [acme], [`${list}/acme-corp`]: acme, [kept]: answer },
  }
}

test('a part of an object that all users see is reported if it holds what people keep to themselves', async () => {
  const [contacts, template] = ['/organizations/acme-corp/contacts', '/organizations/STRING/contacts']
  const judgedAs = (answer: unknown) => judged(organization(contacts, answer), template)
  expect(await judgedAs({ desk: 'open' })).toEqual({ isListed: false, isFinding: false })
  expect(await judgedAs({ phone: '+49 228 1' })).toEqual({ isListed: true, isFinding: true })
})

test('what has the name of an object that all users see is reported', async () => {
  const judgedAs = (answer: unknown) => judged(organization('/billing/acme-corp', answer), '/billing/STRING')
  expect(await judgedAs({ iban: 'DE02', balance: 7 })).toEqual({ isListed: false, isFinding: true })
  expect(await judgedAs({ plan: 'gold', seats: 7 })).toEqual({ isListed: false, isFinding: true })
})

/** A flag in otto's list, and the application's answer to otto about his own account. */
function toldOf(permissions: unknown, status = 200): Application {
  const list = '/projects/default/flags'
  const told = askedBy('otto', '/user', { id: 2, name: 'otto', permissions })
  return {
    recorded: {
      [`${list}/STRING`]: [askedBy('olga', `${list}/new`)],
      [list]: [askedBy('otto', list)],
      '/user': [{ ...told, response: { ...told.response, status } }],
      '/roles': [askedBy('otto', '/roles', [{ role: 'editor', project: 'default', right: 'DELETE_FLAG' }])],
    },
    answers: { [list]: [{ name: 'new' }], [`${list}/new`]: { name: 'new', description: 'Banner' } },
  }
}

test.each([
  ['PUT', [{ project: 'default', permission: 'UPDATE_FLAG' }], false],
  ['PUT', [{ projectId: 'default', permission: 'flags:write' }], false],
  ['DELETE', [{ project: 'default', permission: 'UPDATE_FLAG' }], true],
  ['PUT', [{ project: 'other', permission: 'UPDATE_FLAG' }], true],
  ['PUT', [{ project: 'default', flag: 'old', permission: 'UPDATE_FLAG' }], true],
  ['PUT', [{ project: 'default', permission: 'UPDATE_FLAG_OWNER' }], true],
  ['PUT', [{ permission: 'UPDATE_FLAG' }], true],
  ['PUT', ['UPDATE_FLAG'], true],
  ['DELETE', [{ project: 'default', permission: 'DELETE_FLAG' }], false],
  ['DELETE', [{ project: 'default', permission: 'flags:write' }], true],
  ['DELETE', [], true],
  ['PUT', [{ project: 'default', permission: 'UPDATE_FLAG', granted: false }], true],
  ['PUT', [{ project: 'default', permission: 'UPDATE_FLAG', environment: null }], true],
  ['PUT', [{ project: 'default', permission: 'UPDATE_FLAG', conditions: { owner: 2 } }], true],
  ['PUT', [{ project: 'default', permission: 'UPDATE_FLAG', conditions: [{ owner: 2 }] }], true],
  ['PUT', { project: 'default', missing: 'flags:write' }, true],
  ['PUT', { missingPermissions: [{ project: 'default', permission: 'UPDATE_FLAG' }] }, true],
  ['PUT', { denied_permissions: [{ project: 'default', permission: 'UPDATE_FLAG' }] }, true],
])(
  'a %s of a listed object with the permissions %j is reported: %s',
  async (method, permissions, isFinding) => {
    const template = '/projects/default/flags/STRING'
    expect(await judged(toldOf(permissions), template, method)).toEqual({ isListed: true, isFinding })
  },
)

test('what is answered with an error grants nothing', async () => {
  const told = toldOf([{ project: 'default', permission: 'UPDATE_FLAG' }], 403)
  expect(await judged(told, '/projects/default/flags/STRING', 'PUT')).toEqual({
    isListed: true,
    isFinding: true,
  })
})

test('a permission for objects that no list shows is not enough', async () => {
  const told = toldOf([{ project: 'default', permission: 'UPDATE_FLAG' }])
  const unlisted = { ...told, answers: { ...told.answers, '/projects/default/flags': [] } }
  expect(await judged(unlisted, '/projects/default/flags/STRING', 'PUT')).toEqual({
    isListed: false,
    isFinding: true,
  })
})

/** Whether an answer to a request that names olga in its query is a finding; otto was recorded with his own. */
async function isFindingByQuery(answer: string, own: string | null, isSeenLater = false): Promise<boolean> {
  const tools = {
    lookups: EMPTY_LOOKUPS,
    listAnswer: () => Promise.resolve(null),
    listingFor: () => Promise.resolve('none'),
    ownAnswer: () => Promise.resolve(own === null ? null : askedBy('otto', '/limit?user=otto', own)),
    isPartOfShared: () => Promise.resolve(false),
  }
  const trial = {
    template: {
      needs: [{ kind: 'attacker' }, { kind: 'parameter values' }],
      execute: { steps: [] },
    } as unknown as Template,
    endpoint: keyOf('/limit'),
    sample: new MessageView(askedBy('olga', '/limit?user=olga')),
    tools,
  } as unknown as Trial
  const proof = { exchange: askedBy('otto', '/limit?user=olga', answer) } as AttemptRecord
  return (await ownershipOf(trial, proof, isSeenLater))?.control === null
}

test('an answer that the attacker gets to its own request, too, shows nothing of the object', async () => {
  expect(await isFindingByQuery('declined', 'declined')).toBe(false)
  expect(await isFindingByQuery('limit: 500', 'limit: 200')).toBe(true)
  expect(await isFindingByQuery('declined', null)).toBe(true)
  expect(await isFindingByQuery('changed', 'changed', true)).toBe(true)
})

/** Views of projects: they are listed by their project, and every member sees the list of projects that is given. */
function viewsOf(field: string, listed: readonly object[]): Application {
  const view = { id: 5, [field]: 3, data: { title: 'Mine' } }
  return {
    recorded: {
      '/views/INTEGER': [
        askedBy('olga', '/views/5', view),
        askedBy('otto', '/views/6', { id: 6, [field]: 4 }),
      ],
      '/views': [askedBy('olga', `/views?${field}=9`, []), askedBy('otto', `/views?${field}=4`, [])],
      [`/${field}s`]: [askedBy('otto', `/${field}s`, listed)],
    },
    answers: { '/views/5': view, [`/${field}s`]: listed },
  }
}

test('what is kept in an object that the attacker is shown in a list counts as listed', async () => {
  const judge = (field: string, listed: readonly object[]) =>
    judged(viewsOf(field, listed), '/views/INTEGER', 'PATCH')
  expect(await judge('project', [{ id: 3, title: 'Letters' }])).toMatchObject({
    isListed: true,
    isFinding: true,
  })
  expect(await judge('project', [{ id: 4, title: 'Own' }])).toMatchObject({
    isListed: false,
    isFinding: true,
  })
  expect(await judge('customer', [{ id: 3, title: 'Olga' }])).toMatchObject({
    isListed: false,
    isFinding: true,
  })
})

/** Boards that the lists of olga and otto show, with less than each one holds. */
function boards(shownToOlga: readonly object[], shownToOtto: readonly object[], board: object): Application {
  return {
    recorded: {
      '/boards/INTEGER': [askedBy('olga', '/boards/61')],
      '/boards': [
        askedBy('olga', '/boards', { boards: shownToOlga }),
        askedBy('otto', '/boards', { boards: shownToOtto }),
      ],
    },
    answers: { '/boards': { boards: [...shownToOtto, { id: 61 }] }, '/boards/61': board },
  }
}

const BOARD = { id: 61, title: 'Board 61', notes: ['a', 'b', 'c'], columns: 3, colour: 'red' }

async function isMutual(
  olga: readonly object[],
  otto: readonly object[],
  board: object = BOARD,
  method?: string,
) {
  return (await ownershipIn(boards(olga, otto, board), '/boards/INTEGER', method))?.isMutual
}

const listed = (ids: readonly number[]) =>
  ids.map((id) => ({ id, title: `Board ${id}`, maker: 'ann', made: `2026-01-${id}` }))

test('that both users were recorded being shown the same objects speaks for sharing what is read', async () => {
  const all = listed([61, 62, 71])
  expect(await isMutual(all, all)).toBe(true)
  expect(await isMutual(listed([61, 62]), listed([71, 72]))).toBe(false)
  expect(await isMutual(listed([61]), listed([61]))).toBe(false)
  expect(await isMutual(all, all, BOARD, 'PUT')).toBe(false)
  expect(await isMutual(all, all, { ...BOARD, phone: '+49 228 1' })).toBe(false)
})

test('objects that each user counts from 1 or calls alike are not the same', async () => {
  const invoices = (customer: string) => [1, 2, 3].map((id) => ({ id, customer, currency: 'EUR', paid: 1 }))
  expect(await isMutual(invoices('olga'), invoices('otto'))).toBe(false)
  const folders = ['Inbox', 'Sent', 'Trash'].map((name, at) => ({ id: at + 1, name, type: 'folder' }))
  expect(await isMutual(folders, folders)).toBe(false)
  const reports = ['monthly-report-2026', 'yearly-report-2026'].map((slug, at) => ({ id: at + 1, slug }))
  expect(await isMutual(reports, reports)).toBe(false)
})

test('objects that were changed or seen between two lists are the same', async () => {
  const at = (updated_at: string) =>
    listed([61, 62, 71]).map((one) => ({ ...one, updated_at, last_seen: updated_at }))
  expect(await isMutual(at('2026-01-01'), at('2026-01-02'))).toBe(true)
})

test('objects with the same long identifier are the same, whatever else lists show of them', async () => {
  const named = (role: string) => [1, 2].map((n) => ({ id: `0d9f1b1e-4c1e-4b8a-9a55-00000000000${n}`, role }))
  expect(await isMutual(named('owner'), named('member'))).toBe(true)
})

/** What is made of olga's read or write of a path that otto sends, with what the application says of otto. */
function toldAs(
  path: string,
  told: unknown,
  { method = 'GET', answer = { colour: 'red' } as unknown, asked = '/api/whoami' } = {},
) {
  const [target] = path.split('?')
  const template = target!.replace(/\d+/g, 'INTEGER')
  const application = {
    recorded: {
      [template]: [askedBy('olga', path)],
      '/api/users/me': [askedBy('olga', '/api/users/me', { id: path.includes('/users/1/org') ? 1 : 7 })],
      [asked.replace(/\d+/g, 'INTEGER')]: [askedBy('otto', asked, told)],
    },
    answers: { [target!]: answer },
  }
  return judged(application, template, method)
}

const SETTINGS = '/api/organizations/1/settings'
const MEMBER = { id: 2, active_organization: 1 }

test.each([
  [MEMBER, false],
  [{ id: 2, organization: { id: 1 } }, false],
  [{ user: { id: 2, currentOrganizationId: 1 } }, false],
  [{ id: 2, memberships: [{ organization_id: 3 }, { organization_id: 1 }] }, false],
  [{ id: 2, active_organization: 3 }, true],
  [{ id: 1, level: 1 }, true],
  [{ id: 2, blocked_organization: 1 }, true],
  [{ id: 2, manager: { organization_id: 1 } }, true],
])(
  'settings of organization 1 read by a user whose "who am I" says %j are reported: %s',
  async (told, isFinding) => {
    expect(await toldAs(SETTINGS, told)).toEqual({ isListed: false, isFinding })
  },
)

test('what people keep to themselves in an organization of the attacker is reported', async () => {
  const answer = { secret: 'x' }
  expect(await toldAs(SETTINGS, MEMBER, { answer })).toEqual({ isListed: false, isFinding: true })
})

test('a write on an organization that the attacker belongs to is no less severe', async () => {
  expect(await toldAs(SETTINGS, MEMBER, { method: 'PUT' })).toEqual({ isListed: false, isFinding: true })
})

test.each([
  ['/api/users/1/organizations/3/preferences', { id: 2, organization_id: 3 }],
  ['/api/users/1/notes', { id: 2, manager_user_id: 1 }],
  ['/api/users/1/notes', { id: 2, user_id: 1 }],
  ['/s/1/notes', { id: 2, level: 1 }],
  ['/1/settings', MEMBER],
  ['/data/1', { data: { id: 1 } }],
  [`${SETTINGS}?user_id=1`, MEMBER],
])('a read of %s by a user whose "who am I" says %j is reported', async (path, told) => {
  expect(await toldAs(path, told)).toEqual({ isListed: false, isFinding: true })
})

test.each(['/api/users/1/profile', '/api/profile?user_id=1'])(
  'what %s says is about somebody else and makes nobody a member',
  async (asked) => {
    expect(await toldAs(SETTINGS, MEMBER, { asked })).toEqual({ isListed: false, isFinding: true })
  },
)
