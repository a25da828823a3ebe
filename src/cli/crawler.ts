import { randomUUID } from 'node:crypto'
import { availableParallelism, hostname } from 'node:os'
import { join } from 'node:path'
import { runModule } from '../app/index.ts'
import { interfaceVersion } from '../contract/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { readArguments } from './read-arguments.ts'
import { serverClient, serverOptions, withServer } from './server-client.ts'
import { takeWords } from './words.ts'

const MOST_TABS = 4

/** `vigil crawler`: works on crawls of a server elsewhere, until a signal ends it. */
export const crawler: Command = {
  help: `Usage: vigil crawler --server URL --key KEY [--name NAME] [--data-dir FOLDER] [--json]

Works on crawls of a server elsewhere, one at a time: those that choose this module by its name. For networks that the
server itself does not reach. --name is the name of this machine unless given. Without --server: VIGIL_BASE_URL, else
host and port of the settings. Without --key: VIGIL_API_KEY. What was captured waits in the data folder until the server
has it; a killed crawl continues at the next start. Ends at SIGTERM or SIGINT; with code 75 when the server asks it to
start again. --json prints what happens as JSON lines.
`,
  async run(args) {
    const given = readArguments(args, [...serverOptions, 'name'])
    const { words, options, report, isJson } = given
    takeWords(words, [])
    const { settings } = report
    const client = serverClient(given)
    const stop = new AbortController()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort())
    return withServer(async () => {
      const end = await runModule(
        {
          client,
          id: randomUUID(),
          name: options['name'] ?? hostname(),
          version: interfaceVersion,
          folder: join(settings.dataDir, 'module-crawls'),
          place: {
            browser: settings.browser,
            browserFolder: join(settings.dataDir, 'browser'),
            allowed: settings.allowedTargets,
            own: [],
            requestsPerMinute: settings.targetRequestsPerMinute,
            requestsPerSecond: settings.crawlRequestsPerSecond,
            locale: { language: settings.browserLanguage, timeZone: settings.browserTimeZone },
            verifiesTls: settings.verifyTargets,
            tabs: Math.min(MOST_TABS, Math.max(2, availableParallelism())),
          },
          log: (sentence) =>
            void process.stdout.write(`${isJson ? JSON.stringify({ message: sentence }) : sentence}\n`),
        },
        stop.signal,
      )
      return end === 'reboot' ? exitCodes.again : exitCodes.done
    })
  },
}
