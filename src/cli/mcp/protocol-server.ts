import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { errorRow } from '../../contract/errors.ts'
import { CallError, createClient } from '../../contract/index.ts'
import { didYouMean } from '../did-you-mean.ts'
import { programVersion } from '../program-version.ts'
import type { AnswerPages } from './answer-pages.ts'
import { argumentsOf, howOffered, OFFSET_ARGUMENT, type Tool } from './tools.ts'

const TOOLS_PER_PAGE = 60
const INSTRUCTIONS = `Vigil inventories APIs from their traffic, tests them, and watches them for attacks. Start with getAllCollectionsBasic for the APIs that are known, searchEndpoints for their endpoints, fetchIssueGroups for what must be fixed, and retrieveAllCollectionTests for test runs. Times are epoch seconds. Lists take limit and skip; an answer that was cut says how to continue.`

/** What one connection speaks for. */
export interface Connection {
  /** Of the server of Vigil. */
  readonly baseUrl: string
  /** The rights of the connection are those of this key. */
  readonly apiKey: string
  readonly tools: readonly Tool[]
  readonly pages: AnswerPages
}

/** A server of the Model Context Protocol that answers by calling operations of a server of Vigil. */
export function protocolServer(connection: Connection): Server {
  const { tools } = connection
  const server = new Server(
    { name: 'vigil', title: 'Vigil', version: programVersion() },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const start = Number(params?.cursor ?? 0)
    if (!Number.isSafeInteger(start) || start < 0 || start > tools.length)
      throw new McpError(ErrorCode.InvalidParams, 'The cursor is not one of an earlier answer.')
    const end = start + TOOLS_PER_PAGE
    const page = tools.slice(start, end)
    return { tools: [...page], ...(end < tools.length ? { nextCursor: String(end) } : {}) }
  })
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(connection, params.name, params.arguments ?? {}),
  )
  return server
}

async function callTool(connection: Connection, name: string, given: Record<string, unknown>) {
  const { tools, pages } = connection
  const tool = tools.find((one) => one.name === name)
  if (tool === undefined) {
    const names = tools.map((one) => one.name)
    const offered = howOffered(name)
    const hint = offered === null ? didYouMean(name, names) : `.${offered}`
    throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name} here${hint}`)
  }
  const known = argumentsOf(tool)
  const odd = Object.keys(given).find((argument) => !known.includes(argument))
  if (odd !== undefined) return refusal(`There is no argument ${odd} here${didYouMean(odd, known)}`)
  const { [OFFSET_ARGUMENT]: offset = 0, ...body } = given
  if (typeof offset !== 'number' || !Number.isSafeInteger(offset) || offset < 0)
    return refusal(`${OFFSET_ARGUMENT} takes the number that the answer before named.`)
  try {
    const text = await pages.page(`${name} ${JSON.stringify(body)}`, offset, () =>
      ask(connection, name, body),
    )
    return { content: [{ type: 'text' as const, text }] }
  } catch (error) {
    if (error instanceof CallError) {
      const remedy = errorRow(error.code ?? '')?.remedy
      return refusal([...error.messages, ...(remedy === undefined ? [] : [remedy])].join('\n'))
    }
    if (error instanceof TypeError && error.message === 'fetch failed')
      return refusal(`The server of Vigil at ${connection.baseUrl} cannot be reached.`)
    throw error
  }
}

function ask({ baseUrl, apiKey }: Connection, name: string, body: Record<string, unknown>): Promise<unknown> {
  return createClient({ baseUrl, apiKey }).call(name as 'getAllCollectionsBasic', body)
}

function refusal(text: string) {
  return { content: [{ type: 'text' as const, text }], isError: true }
}
