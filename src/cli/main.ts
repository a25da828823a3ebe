import { commands } from './commands.ts'
import { explainFailure } from './explain-failure.ts'
import { programHelp } from './program-help.ts'

const [name = '--help', ...rest] = process.argv.slice(2)
const command = commands.find((candidate) => candidate.name === name)
if (name === '--help' || name === '-h' || name === 'help') {
  process.stdout.write(programHelp(commands))
} else if (!command) {
  process.stderr.write(`vigil: "${name}" is no command\n\n${programHelp(commands)}`)
  process.exitCode = 2
} else if (rest.includes('--help') || rest.includes('-h')) {
  process.stdout.write(command.help)
} else {
  try {
    process.exitCode = await command.run(rest)
  } catch (error) {
    process.exitCode = explainFailure(error)
  }
}
