import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { groups } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { AnswerPages } from './mcp/answer-pages.ts'
import { type Connection, protocolServer } from './mcp/protocol-server.ts'
import { type HttpOptions, serveHttp } from './mcp/serve-http.ts'
import { ALL_GROUPS, type Tool, toolsOf } from './mcp/tools.ts'
import { printResult } from './print-result.ts'
import { type Arguments, readArguments } from './read-arguments.ts'
import { serverAddress } from './server-client.ts'
import { takeWords } from './words.ts'

const MAX_TOKENS = 10_000
const HIGHEST_PORT = 65_535

/** `vigil mcp`: lets agents use a server by the Model Context Protocol. */
export const mcp: Command = {
  help: `Usage: vigil mcp [--groups NAME,…] [--write] [--max-tokens 10000] [--server URL] [--key KEY]
       vigil mcp --http PORT [--groups NAME,…] [--write] [--max-tokens 10000] [--server URL]
       vigil mcp --list [--groups NAME,…] [--write] [--json]

Lets agents use a running server by the Model Context Protocol: a tool for each operation of every day that reads, with
--write also for those that change something. --groups chooses all operations of groups instead, or all:
${Object.keys(groups).join(', ')}.
An agent has the rights of its key. An answer longer than --max-tokens is cut, and says how to get the next part. Over
standard input and output the key is --key or VIGIL_API_KEY; with --http, on 127.0.0.1 at /mcp, each request brings its
own (Authorization: Bearer). --list prints the tools. Without --server: VIGIL_BASE_URL, else host and
port of the settings.
`,
  async run(args) {
    const given = readArguments(args, ['groups', 'max-tokens', 'http', 'server', 'key'], ['write', 'list'])
    takeWords(given.words, [])
    const { options, report } = given
    const tools = toolsOf({ groups: groupsOf(options['groups']), writes: options['write'] === 'true' })
    if (options['list'] === 'true') return list(given, tools)
    const maxTokens = numberOf(options['max-tokens'] ?? String(MAX_TOKENS), '--max-tokens', 200, 1_000_000)
    const baseUrl = serverAddress(options, report.settings)
    if (options['http'] !== undefined) {
      if (options['key'] !== undefined)
        throw new Failure('BAD_COMMAND', { reason: 'with --http each request brings its own key' })
      const port = numberOf(options['http'], '--http', 0, HIGHEST_PORT)
      return overHttp(given, { baseUrl, tools, maxTokens, port })
    }
    const apiKey = options['key'] ?? report.settings.apiKey
    if (!apiKey)
      throw new Failure('BAD_COMMAND', { reason: '--key is missing, and VIGIL_API_KEY is not set' })
    return overStreams({ baseUrl, apiKey, tools, pages: new AnswerPages(maxTokens) })
  },
}

function list(given: Arguments, tools: readonly Tool[]): number {
  const lines = tools.map(({ name, title, _meta: { group } }) => `${group}\t${name}\t${title}\n`)
  printResult(given, tools, lines.join(''))
  return exitCodes.done
}

/** Until standard input ends, or a signal. */
async function overStreams(connection: Connection): Promise<number> {
  const server = protocolServer(connection)
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve
    process.stdin.once('end', resolve)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  await server.connect(new StdioServerTransport())
  await ended
  await server.close()
  return exitCodes.done
}

async function overHttp(given: Arguments, options: HttpOptions): Promise<number> {
  const { address, server } = await serveHttp(options)
  printResult(given, { address }, `${address}\n`)
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  return exitCodes.done
}

function groupsOf(text: string | undefined): string[] {
  const names = (text ?? '').split(',').filter((name) => name !== '')
  const wrong = names.find((name) => name !== ALL_GROUPS && !Object.hasOwn(groups, name))
  if (wrong !== undefined)
    throw new Failure('BAD_COMMAND', {
      reason: `--groups takes ${ALL_GROUPS}, ${Object.keys(groups).join(', ')}, not ${wrong}`,
    })
  return names
}

function numberOf(text: string, option: string, least: number, most: number): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= least && number <= most))
    throw new Failure('BAD_COMMAND', { reason: `${option} takes ${least} to ${most}, not ${text}` })
  return number
}
