import {
  type AdversarialCase,
  all,
  DONE,
  ITEM,
  LIST,
  numbers,
  REPORT,
  self,
  spread,
  USER,
} from './adversarial-case.ts'
import { FIRST_NAMES, NOUNS, TECH_WORDS } from './words.ts'

/** Keys of a set as OData writes them. */
function keyed(set: string, values: readonly string[]): string[] {
  return values.map((value) => `${set}(${value})`)
}

function sets(): AdversarialCase[] {
  const quoted = FIRST_NAMES.slice(0, 20).map((name) => `'${name}'`)
  const named = numbers(20).map((n) => `Company=${n},Code='C${n}'`)
  const cases: [string, readonly string[]][] = [
    ['/odata', numbers(20)],
    ['/odata/v4', quoted],
    ['/api/data/v9.2', numbers(20)],
    ['/sap/opu/odata/sap/API_ORDER', quoted],
    ['/Service.svc', named],
  ]
  return cases.map(([prefix, keys], i) => ({
    kind: 'sets with keys in parentheses',
    name: prefix,
    send: ['Orders', 'Customers', 'A_BusinessPartner', 'Umsatzarten', 'Lines'].flatMap((set) => [
      { path: `${prefix}/${set}`, keys: LIST, times: 9 },
      ...spread(prefix, keyed(set, keys), '', i % 2 === 0 ? USER : ITEM),
      ...spread(prefix, keyed(set, keys), '/to_Item', REPORT),
    ]),
    expect: {
      [`${prefix}/Orders`]: `${prefix}/Orders`,
      [`${prefix}/Orders(${keys[0]})`]: `${prefix}/Orders()`,
      [`${prefix}/Umsatzarten(${keys[5]})`]: `${prefix}/Umsatzarten()`,
      [`${prefix}/A_BusinessPartner(${keys[3]})/to_Item`]: `${prefix}/A_BusinessPartner()/to_Item`,
    },
  }))
}

function verbs(): AdversarialCase[] {
  const cases: [string, readonly string[]][] = [
    ['/v1/projects/p1/instances', TECH_WORDS.slice(0, 30)],
    ['/v1/operations', numbers(30)],
    ['/v2/jobs', NOUNS.slice(0, 30)],
    ['/v1beta1/models', FIRST_NAMES.slice(0, 30)],
    ['/compute/disks', Array.from({ length: 30 }, (_, i) => `disk-${i}x${i * 3}`)],
  ]
  return cases.map(([prefix, values], i) => {
    const template = `${prefix}/${i === 1 ? 'INTEGER' : 'STRING'}`
    const post = (verb: string) =>
      spread(prefix, values, `:${verb}`, DONE).map((sent) => ({ ...sent, method: 'POST' }))
    return {
      kind: 'custom verbs behind a colon',
      name: prefix,
      send: [
        ...spread(prefix, values, '', USER),
        ...post('start'),
        ...post('stop'),
        ...post('setIamPolicy').slice(0, 2),
        { method: 'POST', path: `${prefix}:batchCreate`, keys: LIST, times: 5 },
      ],
      expect: {
        ...all([`${prefix}/${values[0]}`, `${prefix}/${values[20]}`], template),
        [`POST ${prefix}/${values[0]}:start`]: `${template}:start`,
        [`POST ${prefix}/${values[9]}:stop`]: `${template}:stop`,
        [`POST ${prefix}/${values[1]}:setIamPolicy`]: `${template}:setIamPolicy`,
        [`POST ${prefix}:batchCreate`]: `${prefix}:batchCreate`,
      },
      maxTemplates: 5,
    }
  })
}

function colons(): AdversarialCase[] {
  const cases: [string, (n: number) => string][] = [
    ['/images', (n) => `${NOUNS[n]}:${n % 2 === 0 ? 'latest' : `1.${n}`}`],
    ['/terms', (n) => `GO:000${8000 + n}`],
    ['/entries', (n) => `urn:user:${FIRST_NAMES[n]}`],
    ['/slots', (n) => `${10 + (n % 13)}:${10 + n}`],
    ['/digests', (n) => `sha256:${(n + 17).toString(16).repeat(32).slice(0, 64)}`],
  ]
  return cases.map(([prefix, value]) => {
    const values = Array.from({ length: 40 }, (_, n) => value(n))
    return {
      kind: 'colons within values',
      name: `${prefix}/${values[0]}`,
      send: [...spread(prefix, values, '', ITEM), { path: prefix, keys: LIST, times: 10 }],
      expect: all([`${prefix}/${values[0]}`, `${prefix}/${values[7]}`], `${prefix}/STRING`),
      maxTemplates: 2,
    }
  })
}

const NAMED_FILES = ['orders', 'users', 'products', 'invoices', 'settings', 'search', 'sessions', 'status']

function endings(): AdversarialCase[] {
  const cases: [string, readonly string[], string][] = [
    ['/reports', numbers(30), '/reports/INTEGER'],
    ['/v2/invoices', FIRST_NAMES.slice(0, 30), '/v2/invoices/STRING'],
    ['/2010-04-01/Accounts/1/Calls', Array.from({ length: 30 }, (_, n) => `CA${n}f${n * 31}`), ''],
    ['/files', Array.from({ length: 30 }, (_, n) => `report-${NOUNS[n]}-${n}`), '/files/STRING'],
  ]
  const values: AdversarialCase[] = cases.map(([prefix, ids, wanted]) => {
    const template = wanted || '/2010-04-01/Accounts/INTEGER/Calls/STRING'
    return {
      kind: 'values before endings',
      name: prefix,
      send: [
        ...spread(prefix, ids, '', USER),
        ...spread(prefix, ids, '.json', USER),
        ...spread(prefix, ids, '.pdf', []),
      ],
      expect: {
        ...all([`${prefix}/${ids[0]}`, `${prefix}/${ids[20]}`], template),
        ...all([`${prefix}/${ids[0]}.json`, `${prefix}/${ids[9]}.json`], `${template}.json`),
        ...all([`${prefix}/${ids[3]}.pdf`, `${prefix}/${ids[29]}.pdf`], `${template}.pdf`),
      },
      maxTemplates: 3,
    }
  })
  const names = ['', '/api', '/v2'].map((prefix): AdversarialCase => {
    const paths = NAMED_FILES.map((name) => `${prefix}/${name}.json`)
    return {
      kind: 'names before endings',
      name: `${prefix}/orders.json`,
      send: [
        ...paths.map((path, i) => ({ path, keys: [LIST, USER, ITEM, REPORT][i % 4]!, times: 9 })),
        { path: `${prefix}/orders`, keys: LIST, times: 9 },
        { path: `${prefix}/orders.csv`, keys: [], times: 3 },
        ...spread(`${prefix}/orders`, numbers(20), '.json', ITEM),
      ],
      expect: {
        ...self([...paths, `${prefix}/orders`, `${prefix}/orders.csv`]),
        [`${prefix}/orders/100.json`]: `${prefix}/orders/INTEGER.json`,
      },
    }
  })
  return [...values, ...names]
}

/** Segments that hold more than a name or a value. */
export function partsOfSegments(): AdversarialCase[] {
  return [...sets(), ...verbs(), ...colons(), ...endings()]
}
