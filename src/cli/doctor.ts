import type { Settings } from '../kit/index.ts'
import type { Command } from './command.ts'
import { type Finding, findingsOf } from './doctor-checks.ts'
import { exitCodes } from './exit-codes.ts'
import { printResult } from './print-result.ts'
import { readArguments } from './read-arguments.ts'
import { takeWords } from './words.ts'

const MARKS: Record<Finding['state'], string> = { good: 'ok  ', note: 'note', bad: 'FAIL' }

/** `vigil doctor`: looks at everything a start needs, and says what is wrong in sentences. */
export const doctor: Command = {
  help: `Usage: vigil doctor [any setting] [--json]

Looks at Node, memory, the data folder, disk space, the store, the port, the dashboard and the browser, and changes
nothing. Ends with code 1 when something would keep the server from running.
`,
  async run(args) {
    const given = readArguments(args)
    takeWords(given.words, [])
    const findings = await findingsOf(given.report.settings satisfies Settings)
    const lines = findings.map(({ state, subject, text }) => `${MARKS[state]}  ${subject}: ${text}\n`)
    printResult(given, findings, lines.join(''))
    return findings.some(({ state }) => state === 'bad') ? exitCodes.failed : exitCodes.done
  },
}
