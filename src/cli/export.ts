import { Failure } from '../kit/index.ts'
import { collectionNamed } from './collection-named.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { csvExporter } from './export/csv.ts'
import type { Exporter } from './export/exporter.ts'
import { harExporter } from './export/har.ts'
import { openApiExporter } from './export/openapi.ts'
import { postmanExporter } from './export/postman.ts'
import { sarifExporter } from './export/sarif.ts'
import { printResult } from './print-result.ts'
import { readArguments } from './read-arguments.ts'
import { serverClient, serverOptions, withServer } from './server-client.ts'
import { takeWords } from './words.ts'
import { writeNewFile } from './write-new-file.ts'

const EXPORTERS: Readonly<Record<string, Exporter>> = {
  openapi: openApiExporter,
  csv: csvExporter,
  har: harExporter,
  postman: postmanExporter,
  sarif: sarifExporter,
}

/** `vigil export`: writes what a server knows of a collection. */
export const exportCollection: Command = {
  help: `Usage: vigil export openapi|har|postman|csv|sarif --collection NAME [--out FILE] [--secrets masked|shown]
                    [--json] [--server URL] [--key KEY]

Writes a collection to standard output, or to a file that must not exist yet:

  openapi   one OpenAPI 3.1 document of its endpoints
  har       the messages kept of each endpoint, as a HAR 1.2 document
  postman   a Postman collection 2.1 with a request for each endpoint, from its newest message
  csv       a table of the endpoints with authentication, access, risk and times
  sarif     its open issues as SARIF 2.1.0; ignored ones are suppressed results

Secrets and values of sensitive data types in har and postman are masked; --secrets shown asks for them, with the key of
a member or an administrator, and is logged by the server. --json, with --out, prints what was written where as JSON.
Without --server: VIGIL_BASE_URL, else host and port of the settings. Without --key: VIGIL_API_KEY.
`,
  async run(args) {
    const given = readArguments(args, ['collection', 'out', 'secrets', ...serverOptions])
    const [format] = takeWords(given.words, ['format'])
    const exporter = Object.hasOwn(EXPORTERS, format) ? EXPORTERS[format] : undefined
    if (exporter === undefined)
      throw new Failure('BAD_COMMAND', {
        reason: `<format> is ${Object.keys(EXPORTERS).join(', ')}, not ${format}`,
      })
    const { collection: name, out, secrets = 'masked' } = given.options
    if (!name) throw new Failure('BAD_COMMAND', { reason: '--collection is missing' })
    if (secrets !== 'masked' && secrets !== 'shown')
      throw new Failure('BAD_COMMAND', { reason: '--secrets takes masked or shown' })
    if (given.isJson && out === undefined)
      throw new Failure('BAD_COMMAND', { reason: '--json needs --out: the document is printed otherwise' })
    const client = serverClient(given)
    return withServer(async () => {
      const text = await exporter({
        client,
        collectionId: await collectionNamed(client, name),
        name,
        isUnmasked: secrets === 'shown',
        note: (line) => process.stderr.write(`${line}\n`),
      })
      if (out === undefined) process.stdout.write(text)
      else {
        writeNewFile(out, text)
        printResult(given, { file: out, format, collection: name, bytes: Buffer.byteLength(text) }, '')
      }
      return exitCodes.done
    })
  },
}
