import { readFileSync, statSync } from 'node:fs'
import { judgeEvidenceFile, MAX_EVIDENCE_FILE_BYTES } from '../app/index.ts'
import { describeFailure } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { fileReason } from './file-reason.ts'
import { printResult } from './print-result.ts'
import { type Arguments, readArguments } from './read-arguments.ts'
import { terminalText } from './terminal-text.ts'
import { takeWords } from './words.ts'

const UNREADABLE = new Set(['EVIDENCE_UNREADABLE', 'EVIDENCE_CANNOT_BE_JUDGED'])

/** `vigil replay`: judges a file of evidence again, with nothing but the file. */
export const replay: Command = {
  help: `Usage: vigil replay <file> [--json]

Judges the evidence of a result again, offline, with the engine that runs tests: no server, no store, no request. Ends
with code 0 when the verdict is the recorded one, 1 when it is another or the file was changed after it was exported,
2 when the file cannot be read or judged.
`,
  async run(args) {
    const given = readArguments(args)
    const [path] = takeWords(given.words, ['file'])
    try {
      return await judge(path, given)
    } catch (error) {
      if (!(error instanceof Failure) || !UNREADABLE.has(error.code)) throw error
      process.stderr.write(`vigil: ${terminalText(describeFailure(error).messages.join('\n'))}\n`)
      return exitCodes.misused
    }
  },
}

async function judge(path: string, given: Arguments): Promise<number> {
  const { recorded, judged, isEdited } = await judgeEvidenceFile(read(path))
  const { endpoint } = recorded
  const isSame = judged.outcome === recorded.outcome
  const lines = [
    `${recorded.testId} on ${endpoint.method} ${endpoint.url}`,
    `recorded: ${recorded.outcome}: ${recorded.explanation}`,
    `judged:   ${judged.outcome}: ${judged.explanation}`,
    ...(isEdited ? ['The file was changed after it was exported: its digest does not fit.'] : []),
    isSame ? 'The verdict is the same.' : 'The verdict is another.',
  ]
  const verdicts = [recorded, judged].map(({ outcome, explanation }) => ({ outcome, explanation }))
  printResult(
    given,
    { testId: recorded.testId, endpoint, recorded: verdicts[0], judged: verdicts[1], isSame, isEdited },
    `${lines.join('\n')}\n`,
  )
  return isSame && !isEdited ? exitCodes.done : exitCodes.failed
}

function read(path: string): string {
  try {
    if (statSync(path).size > MAX_EVIDENCE_FILE_BYTES)
      throw new Failure('EVIDENCE_UNREADABLE', {
        reason: `it is larger than ${MAX_EVIDENCE_FILE_BYTES} bytes`,
      })
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('EVIDENCE_UNREADABLE', { reason: fileReason(error) }, { cause: error })
  }
}
