import type { environments } from '../contract/vocabulary.ts'

type Environment = (typeof environments)[number]

/** Words of host names and labels. The order is that of strength: the first row with a hit wins. */
const WORDS: readonly (readonly [Environment, string])[] = [
  ['PREPROD', 'preprod preproduction preprd pprod'],
  ['UAT', 'uat acceptance acc'],
  ['QA', 'qa qas sit perf loadtest'],
  ['DEV', 'dev devel develop development preview pr branch feature'],
  ['INTEG', 'integ integration'],
  ['STAGING', 'staging stage stg stag demo testing sandbox sbx sbox nonprod nonproduction canary dr'],
  ['INTERNAL', 'internal kubernetes'],
  // Words of networks that only say "not for everybody".
  [
    'STAGING',
    'test tst svc localhost local intranet lan example invalid home corp priv localdomain localnet network int private',
  ],
]
const ROW_OF_WORD = new Map(
  WORDS.flatMap(([, words], row) => words.split(' ').map((word): [string, number] => [word, row])),
)
const PRODUCTION_WORDS = new Set(['prod', 'production', 'prd'])

/** Labels that say where something runs: Kubernetes namespaces, cloud tags. */
const LABEL_KEY =
  /^(?:env|environment|stage|namespace|kubernetes\.io\/namespace|cluster|tier|deployment\.environment(?:\.name)?)$/i

/**
 * The environment that a host name and labels tell, or undefined: nothing is production by default. Host labels are cut at
 * dots, dashes and digits and compared as whole words, so `api-uat1.shop.com` is UAT and `www.lancet.com` is nothing. The
 * registrable name (last two labels) does not count, unless it is a reserved one (`.test`, `.local`, `.internal`).
 */
export function environmentOf(
  host: string,
  labels: Readonly<Record<string, string>> = {},
): Environment | undefined {
  for (const [key, value] of Object.entries(labels)) {
    const told = LABEL_KEY.test(key) ? environmentOfWords(wordsOf(value)) : undefined
    if (told !== undefined) return told
  }
  return environmentOfWords(wordsOfHost(host))
}

/** Words of the host's own part; the registrable name is the owner's, not the environment's. */
function wordsOfHost(host: string): string[] {
  const name = host.toLowerCase().replace(/:\d+$/, '')
  if (/^[\d.]+$|^\[/.test(name)) return []
  const labels = name.split('.').filter((label) => label !== '')
  const top = labels.at(-1) ?? ''
  if (labels.length <= 1) return wordsOf(name)
  const reserved = RESERVED_TOPS.has(top) ? [top] : []
  const registrable = RESERVED_TOPS.has(top)
    ? 1
    : SECOND_LEVEL.has(labels.at(-2)!) && top.length === 2
      ? 3
      : 2
  return [...labels.slice(0, -registrable).flatMap(wordsOf), ...reserved]
}

const RESERVED_TOPS = new Set(
  'local internal localhost lan corp intranet home localdomain localnet test example invalid svc private priv int'.split(
    ' ',
  ),
)
const SECOND_LEVEL = new Set(['co', 'com', 'org', 'net', 'gov', 'ac', 'edu', 'gob', 'or', 'ne'])

function wordsOf(label: string): string[] {
  return label
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}

function environmentOfWords(words: readonly string[]): Environment | undefined {
  const present = new Set(words)
  const isProduction = words.some((word) => PRODUCTION_WORDS.has(word))
  if (isProduction && present.has('non')) return 'STAGING'
  if (isProduction && present.has('pre')) return 'PREPROD'
  const rows = words.flatMap((word) => ROW_OF_WORD.get(word) ?? [])
  if (rows.length > 0) return WORDS[Math.min(...rows)]![0]
  return isProduction ? 'PRODUCTION' : undefined
}
