import { writeFileSync } from 'node:fs'
import { Failure } from '../kit/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { printResult } from './print-result.ts'
import { readArguments } from './read-arguments.ts'
import { serverClient, serverOptions, withServer } from './server-client.ts'
import { takeWords } from './words.ts'

const OWNER_ONLY = 0o600

/** `vigil evidence`: saves what proves a result. */
export const evidence: Command = {
  help: `Usage: vigil evidence <result> [--out FILE] [--secrets masked|shown] [--json] [--server URL] [--key KEY]

Saves one result of a test run with everything that proves it as one JSON file, which vigil replay judges again.
<result> is its identifier. Secrets and values of sensitive data types are masked; --secrets shown asks for them, with
the key of an administrator, and is logged by the server. Without --server: VIGIL_BASE_URL, else host and port of the
settings. Without --key: VIGIL_API_KEY.
`,
  async run(args) {
    const given = readArguments(args, ['out', 'secrets', ...serverOptions])
    const { options } = given
    const [result] = takeWords(given.words, ['result'])
    const secrets = options['secrets'] ?? 'masked'
    if (secrets !== 'masked' && secrets !== 'shown')
      throw new Failure('BAD_COMMAND', { reason: '--secrets takes masked or shown' })
    const client = serverClient(given)
    return withServer(async () => {
      const exported = await client.op.exportTestResultEvidence({
        testingRunResultHexId: result,
        unmasked: secrets === 'shown',
      })
      const path = options['out'] ?? exported.fileName
      writeFileSync(path, `${JSON.stringify(exported.evidence, null, 2)}\n`, { mode: OWNER_ONLY })
      const reason = exported.evidence['cannotBeJudged']
      printResult(given, { file: path, cannotBeJudged: reason ?? '' }, `${path}\n`)
      if (typeof reason === 'string' && reason !== '')
        process.stderr.write(`It cannot be judged again: ${reason}\n`)
      return exitCodes.done
    })
  },
}
