import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '../kit/index.ts'
import { lockFolder, restoreBackup } from '../store/owner.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { printResult } from './print-result.ts'
import { readArguments } from './read-arguments.ts'
import { takeWords } from './words.ts'

/** `vigil restore`: puts a backup or snapshot into an empty data folder. */
export const restore: Command = {
  help: `Usage: vigil restore <file> [--data-dir FOLDER] [--json]

Puts a backup, or a snapshot of the data folder, into a data folder that holds no store. To go back on the same
machine: stop the server, move the folder "database" and the file "instance.key" away, restore, start.
`,
  async run(args) {
    const given = readArguments(args)
    const [path] = takeWords(given.words, ['file'])
    const { dataDir, databaseUrl } = given.report.settings
    if (databaseUrl !== null) throw new Failure('NO_EMBEDDED_STORE')
    if (!existsSync(path)) throw new Failure('BAD_COMMAND', { reason: `there is no file ${path}` })
    const made = mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const unlock = lockFolder(dataDir)
    try {
      await restoreBackup(resolve(path), dataDir)
    } catch (error) {
      if (made !== undefined) rmSync(made, { recursive: true, force: true })
      throw error
    } finally {
      unlock()
    }
    if (given.isJson) printResult(given, { folder: dataDir }, '')
    else {
      const folder = `'${dataDir.replaceAll("'", "'\\''")}'` // for a shell
      process.stderr.write(`Restored. It is opened by: vigil start --data-dir ${folder}\n`)
    }
    return exitCodes.done
  },
}
