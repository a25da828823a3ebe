import { baseUrlOf } from '../app/base-url.ts'
import { type Client, createClient } from '../contract/client.ts'
import { Failure, type Settings } from '../kit/index.ts'
import { exitCodes } from './exit-codes.ts'
import type { Arguments } from './read-arguments.ts'
import { reasonOf } from './server-fault.ts'

/** Options of every command that speaks to a server. */
export const serverOptions = ['server', 'key'] as const

/**
 * The address of the server that a command names, else that of the settings.
 *
 * @throws Failure BAD_COMMAND
 */
export function serverAddress(options: Arguments['options'], settings: Settings): string {
  const url = options['server'] ?? baseUrlOf(settings)
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new Failure('BAD_COMMAND', { reason: '--server takes an http or https URL' })
  return url
}

/**
 * A client of the server that a command names.
 *
 * @throws Failure BAD_COMMAND without a key
 */
export function serverClient({ options, report }: Pick<Arguments, 'options' | 'report'>): Client {
  const baseUrl = serverAddress(options, report.settings)
  const apiKey = options['key'] ?? report.settings.apiKey
  if (!apiKey) throw new Failure('BAD_COMMAND', { reason: '--key is missing, and VIGIL_API_KEY is not set' })
  return createClient({ baseUrl, apiKey })
}

/** Runs what speaks to a server; a refusal, or a server that cannot be reached, is explained and ends with code 1. */
export async function withServer(work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (error) {
    const reason = await reasonOf(error)
    if (reason === null) throw error
    process.stderr.write(`vigil: ${reason}\n`)
    return exitCodes.failed
  }
}
