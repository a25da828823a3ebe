import { readFileSync, statSync } from 'node:fs'
import { judgeEvidenceFile, MAX_EVIDENCE_FILE_BYTES } from '../app/index.ts'
import { describeFailure } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { readArguments } from './read-arguments.ts'
import { takeWords } from './words.ts'

const UNREADABLE = new Set(['EVIDENCE_UNREADABLE', 'EVIDENCE_CANNOT_BE_JUDGED'])

/** `vigil replay`: judges a file of evidence again, with nothing but the file. */
export const replay: Command = {
  help: `Usage: vigil replay <file>

Judges the evidence of a result again, offline, with the engine that runs tests: no server, no store, no request. Ends
with code 0 when the verdict is the recorded one, 1 when it is another or the file was changed after it was exported,
2 when the file cannot be read or judged.
`,
  async run(args) {
    const [path] = takeWords(readArguments(args).words, ['file'])
    try {
      return await judge(path)
    } catch (error) {
      if (!(error instanceof Failure) || !UNREADABLE.has(error.code)) throw error
      process.stderr.write(`vigil: ${describeFailure(error).messages.join('\n')}\n`)
      return exitCodes.misused
    }
  },
}

async function judge(path: string): Promise<number> {
  const { recorded, judged, isEdited } = await judgeEvidenceFile(read(path))
  const { endpoint } = recorded
  process.stdout.write(
    `${recorded.testId} on ${endpoint.method} ${endpoint.url}\nrecorded: ${recorded.outcome}: ${recorded.explanation}\njudged:   ${judged.outcome}: ${judged.explanation}\n`,
  )
  const isSame = judged.outcome === recorded.outcome
  if (isEdited) process.stdout.write('The file was changed after it was exported: its digest does not fit.\n')
  process.stdout.write(isSame ? 'The verdict is the same.\n' : 'The verdict is another.\n')
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
    throw new Failure('EVIDENCE_UNREADABLE', { reason: (error as Error).message }, { cause: error })
  }
}
