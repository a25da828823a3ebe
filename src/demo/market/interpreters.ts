/**
 * Interpreters of the weak routes. They behave like the real ones for what a tester sends, and can do no harm: files
 * and commands are made up, and addresses outside this machine are answered from a table.
 */

const FILES: Readonly<Record<string, string>> = {
  '/srv/market/files/terms.txt': 'Terms of the market: pay, then carry away.\n',
  '/srv/market/files/imprint.txt': 'The market is a stall of the test harness.\n',
  '/etc/passwd':
    'root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\nmarket:x:1000:1000::/srv/market:/bin/sh\n',
  '/etc/hostname': 'market-1\n',
}

const MAX_WAIT_MS = 12_000
const MAX_FETCHED = 20_000

/** Text of a made-up file; `..` segments climb as on a real disk. */
export function fileText(path: string): string | null {
  const segments: string[] = []
  const cut = path.indexOf('\0')
  for (const segment of (cut < 0 ? path : path.slice(0, cut)).split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return FILES[`/${segments.join('/')}`] ?? null
}

/** What a shell would print: `;`, `|`, `&`, line breaks, `$( )` and back quotes; a few commands. */
export async function runCommand(line: string): Promise<string> {
  const inner = /\$\(([^()]*)\)|`([^`]*)`/.exec(line)
  if (inner !== null) {
    const output = await runCommand((inner[1] ?? inner[2] ?? '').trim())
    return runCommand(
      `${line.slice(0, inner.index)}${output.trim()}${line.slice(inner.index + inner[0].length)}`,
    )
  }
  const outputs: string[] = []
  for (const command of line.split(/[;\n|&]+/)) outputs.push(await runOne(command.trim()))
  return outputs.filter((output) => output !== '').join('\n')
}

async function runOne(command: string): Promise<string> {
  const [name, ...words] = command.split(/\s+/)
  switch (name) {
    case 'ping':
      return `PING ${words.at(-1)}: 1 packets transmitted, 1 received`
    case 'echo':
      return arithmetic(words.join(' ').replaceAll(/^['"]|['"]$/g, ''))
    case 'expr':
      return String(product(words.join(' ').replaceAll('\\', '')) ?? '')
    case 'id':
      return 'uid=1000(market) gid=1000(market) groups=1000(market)'
    case 'whoami':
      return 'market'
    case 'cat':
      return fileText(words[0] ?? '') ?? `cat: ${words[0]}: No such file or directory`
    case 'sleep':
      await new Promise((resolve) => setTimeout(resolve, Math.min(Number(words[0]) * 1000 || 0, MAX_WAIT_MS)))
      return ''
    case '':
    case undefined:
      return ''
    default:
      return `sh: ${name}: not found`
  }
}

function arithmetic(text: string): string {
  return text.replaceAll(/\$\(\(([\d*+ ]{1,40})\)\)/g, (whole, sum: string) => String(product(sum) ?? whole))
}

/** A product or sum of two whole numbers. */
function product(text: string): number | null {
  const match = /^\s*(\d{1,7})\s*([*+])\s*(\d{1,7})\s*$/.exec(text)
  if (match === null) return null
  const [a, b] = [Number(match[1]), Number(match[3])]
  return match[2] === '*' ? a * b : a + b
}

/** Fills `{{ a*b }}`, `${a*b}`, `#{a*b}` and `<%= a*b %>` as template engines do. */
export function fillTemplate(text: string): string {
  return text.replaceAll(
    /\{\{([^{}]{1,60})\}\}|[$#]\{([^{}]{1,60})\}|<%=([^%]{1,60})%>/g,
    (whole, a, b, c) => {
      const inner = String(a ?? b ?? c)
      return String(product(inner.replace(/^\s*(\d+)\s*\*\s*'(\d+)'\s*$/, '$1*$2')) ?? whole)
    },
  )
}

/** Replaces the entities that a document declares; `file:` ones by what the file holds. */
export function entitiesIn(document: string): string {
  let filled = document
  for (const match of document.matchAll(/<!ENTITY\s+(\w{1,40})\s+(?:SYSTEM\s+)?"([^"]{0,300})"\s*>/g)) {
    const [, name, value] = match
    const text = value!.startsWith('file://') ? (fileText(value!.slice('file://'.length)) ?? '') : value!
    filled = filled.replaceAll(`&${name};`, text.replaceAll('<', '&lt;'))
  }
  return filled
}

const METADATA = 'ami-id\nami-launch-index\nhostname\niam/\ninstance-id\nlocal-ipv4\nsecurity-credentials/\n'

/** Fetches from this machine; the metadata address of clouds is answered from a table, everything else is unreachable. */
export async function fetchFor(url: string): Promise<{ delivered: boolean; answer: string }> {
  const { hostname, protocol } = new URL(url)
  if (hostname === '169.254.169.254') return { delivered: true, answer: METADATA }
  if (protocol === 'file:') return { delivered: true, answer: fileText(new URL(url).pathname) ?? '' }
  const isHere = hostname === '127.0.0.1' || hostname === 'localhost' || hostname === '[::1]'
  if (!isHere || !protocol.startsWith('http')) return { delivered: false, answer: 'the host was not found' }
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(3000), redirect: 'follow' })
    return { delivered: true, answer: (await answer.text()).slice(0, MAX_FETCHED) }
  } catch (error) {
    return { delivered: false, answer: `connect failed: ${String((error as Error).cause ?? error)}` }
  }
}
