import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, homedir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import { collectionNamed } from './collection-named.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { fileReason } from './file-reason.ts'
import { CapturingProxy } from './proxy/capturing-proxy.ts'
import { Certificates } from './proxy/certificates.ts'
import { Recorder, type SessionFigures } from './proxy/recorder.ts'
import { readArguments } from './read-arguments.ts'
import { serverClient, serverOptions, withServer } from './server-client.ts'

const OPTIONS = ['collection', 'proxy-port', 'hosts', 'ca-folder', ...serverOptions]
const DEFAULT_PORT = '8080'
const KILLED_BASE = 128

/** `vigil proxy`: records what a browser or a program sends through it into a collection. */
export const proxy: Command = {
  help: `Usage: vigil proxy --collection NAME [--proxy-port 8080] [--hosts HOST,…] [--ca-folder FOLDER] [--insecure]
                   [--server URL] [--key KEY] [--json] [-- COMMAND …]

Listens on 127.0.0.1 as an HTTP proxy and sends what passes to a collection of a running server, which is created when
it does not exist. With a command after --, runs it with HTTP_PROXY, HTTPS_PROXY and the variables that make programs
trust the proxy's certificate, and ends with its code; otherwise records until SIGTERM or SIGINT.

HTTPS is read with certificates of a certificate authority (CA) that this command makes for this user in --ca-folder
(~/.config/vigil/proxy). Import its ca.pem as a trusted authority into the browser that you record with, best into a
separate profile, and remove it when you are done: anyone who has ca-key.pem can pose as any site before programs that
trust it. --hosts records only these (shop.example, *.shop.example); connections to others pass without being decrypted.
--insecure accepts any certificate of the servers. WebSockets pass and are not recorded. Bodies above 1 MB pass and are
recorded without content. Without --server: VIGIL_BASE_URL, else host and port of the settings. Without --key:
VIGIL_API_KEY.
`,
  async run(args) {
    const cut = args.indexOf('--')
    const program = cut < 0 ? [] : args.slice(cut + 1)
    const given = readArguments(cut < 0 ? args : args.slice(0, cut), OPTIONS, ['insecure'])
    const { words, options } = given
    if (words.length > 0)
      throw new Failure('BAD_COMMAND', { reason: `${words[0]}: put the command to run after --` })
    const name = options['collection']
    if (!name) throw new Failure('BAD_COMMAND', { reason: '--collection is missing' })
    const port = Number(options['proxy-port'] ?? DEFAULT_PORT)
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new Failure('BAD_COMMAND', { reason: '--proxy-port must be a port, or 0 for any free one' })
    const client = serverClient(given)
    return withServer(async () => {
      const session: Session = {
        client,
        collectionName: name,
        certificates: new Certificates(options['ca-folder'] ?? defaultFolder()),
        hosts: options['hosts']?.split(',').map((host) => host.trim().toLowerCase()) ?? null,
        verifiesTls: options['insecure'] !== 'true',
        isJson: given.isJson,
      }
      return record(session, port, program)
    })
  },
}

interface Session {
  readonly client: Client
  readonly collectionName: string
  readonly certificates: Certificates
  readonly hosts: readonly string[] | null
  readonly verifiesTls: boolean
  readonly isJson: boolean
}

function defaultFolder(): string {
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'vigil', 'proxy')
}

async function collectionFor(client: Client, name: string): Promise<number> {
  const { apiCollections } = await client.op.getAllCollectionsBasic({})
  const isThere = (apiCollections ?? []).some((one) => one.displayName === name || one.name === name)
  if (isThere) return collectionNamed(client, name)
  return (await client.op.createCollection({ collectionName: name })).apiCollectionId
}

async function record(session: Session, wantedPort: number, program: readonly string[]): Promise<number> {
  const { certificates, hosts, verifiesTls, isJson } = session
  let recorder: Recorder | null = null
  const onCapture = (message: Parameters<Recorder['add']>[0]): void => recorder?.add(message)
  const server = new CapturingProxy({ certificates, hosts, verifiesTls, onCapture })
  try {
    // First, so that no collection is made where the port is taken.
    const port = await listen(server, wantedPort)
    recorder = await openRecorder(session)
    const address = `http://127.0.0.1:${port}`
    tell(
      isJson,
      { proxy: address, certificate: certificates.file },
      `Proxy ready at ${address}
Certificate authority for HTTPS: ${certificates.file}
Ctrl-C ends the session.`,
    )
    const code = program.length > 0 ? await runThrough(program, address, certificates) : await signalled()
    await server.close()
    const figures = await recorder.close()
    tell(isJson, { ...figures }, sessionLine(figures))
    return code === exitCodes.done && figures.lost > 0 ? exitCodes.failed : code
  } finally {
    // Both are closed twice where all went well; where not, they would keep the process.
    await server.close()
    await recorder?.close()
  }
}

async function openRecorder({ client, collectionName }: Session): Promise<Recorder> {
  const collectionId = await collectionFor(client, collectionName)
  let isWarned = false
  return new Recorder(client, collectionId, (error) => {
    if (!isWarned) process.stderr.write(`vigil: the server does not take what was recorded: ${error}\n`)
    isWarned = true
  })
}

async function listen(server: CapturingProxy, port: number): Promise<number> {
  return await server.listen(port).catch((cause: Error) => {
    throw new Failure('BAD_COMMAND', {
      reason: `cannot listen on port ${port}: ${fileReason(cause)}; --proxy-port names another`,
    })
  })
}

function sessionLine({ recorded, rejected, lost }: SessionFigures): string {
  const requests = `${recorded} ${recorded === 1 ? 'request' : 'requests'}`
  return `Recorded ${requests}${rejected > 0 ? `, ${rejected} rejected` : ''}${lost > 0 ? `, ${lost} lost` : ''}.`
}

/** On standard error, so that the output of the command stays its own. */
function tell(isJson: boolean, fields: Record<string, unknown>, text: string): void {
  process.stderr.write(`${isJson ? JSON.stringify(fields) : text}\n`)
}

async function signalled(): Promise<number> {
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  return exitCodes.done
}

/** Runs a command whose requests pass the proxy. @returns its exit code */
async function runThrough(
  program: readonly string[],
  address: string,
  { file, bundleFile }: Certificates,
): Promise<number> {
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [name, address])
  const trust = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE']
  const child = spawn(program[0]!, program.slice(1), {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...Object.fromEntries(proxies),
      ...Object.fromEntries(trust.map((name) => [name, bundleFile])),
      NODE_EXTRA_CA_CERTS: file,
      NODE_USE_ENV_PROXY: '1',
      NO_PROXY: '',
      no_proxy: '',
    },
  })
  // The terminal sends its signal to the command too, which ends first.
  const ignore = (): void => {}
  process.on('SIGINT', ignore)
  const pass = (): void => void child.kill('SIGTERM')
  process.on('SIGTERM', pass)
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    return code ?? KILLED_BASE + constants.signals[signal!]
  } catch (error) {
    throw new Failure('BAD_COMMAND', {
      reason: `${program[0]} cannot be started: ${fileReason(error)}`,
    })
  } finally {
    process.off('SIGINT', ignore)
    process.off('SIGTERM', pass)
  }
}
