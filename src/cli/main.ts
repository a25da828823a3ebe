#!/usr/bin/env node
import { commands } from './commands.ts'
import { keepCompiled } from './keep-compiled.ts'
import { programHelp } from './program-help.ts'

const [name = '--help', ...args] = process.argv.slice(2)
/** Commands whose process stays. */
const STAYING = new Set(['start', 'crawler'])
const listed = commands.find((candidate) => candidate.name === name)

if (name === '--help' || name === '-h' || name === 'help') {
  process.stdout.write(programHelp(commands))
} else if (!listed) {
  process.stderr.write(`vigil: "${name}" is no command\n\n${programHelp(commands)}`)
  process.exitCode = 2
} else {
  if (!STAYING.has(name)) keepCompiled()
  const command = await listed.load()
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(command.help)
  } else {
    try {
      process.exitCode = await command.run(args)
    } catch (error) {
      const { explainFailure } = await import('./explain-failure.ts')
      process.exitCode = explainFailure(error)
    }
  }
}
