#!/usr/bin/env node
import { commands } from './commands.ts'
import { asksForHelp, programHelp } from './program-help.ts'
import { programVersion } from './program-version.ts'
import { takeServerFlags } from './server-flags.ts'
import { tooOldNode } from './too-old-node.ts'

const refusal = tooOldNode(process.versions.node)
if (refusal !== null) {
  process.stderr.write(`${refusal}\n`)
  process.exit(2)
}

/** Commands whose process stays. */
const STAYING = new Set(['start', 'demo', 'crawler', 'mcp'])
const [name = '--help', ...args] = process.argv.slice(2)

// Before anything touches the standard streams. The sources, which only developers start, run without.
if ((name === 'start' || name === 'demo') && import.meta.url.endsWith('.js')) takeServerFlags()

// Nothing that Vigil writes is for other users of the machine.
process.umask(0o077)

// Who reads the output may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

const listed = commands.find((candidate) => candidate.name === name)

if (name === '--help' || name === '-h' || name === 'help') {
  process.stdout.write(programHelp(commands))
} else if (name === '--version' || name === '-V') {
  const version = programVersion()
  process.stdout.write(args.includes('--json') ? `${JSON.stringify({ version })}\n` : `vigil ${version}\n`)
} else if (!listed) {
  const { nearestWord } = await import('../kit/index.ts')
  const nearest = nearestWord(
    name,
    commands.map((command) => command.name),
  )
  const hint = nearest === null ? '' : `; did you mean ${nearest}?`
  process.stderr.write(`vigil: there is no command "${name}"${hint}\n\n${programHelp(commands)}`)
  process.exitCode = 2
} else {
  if (!STAYING.has(name)) (await import('./keep-compiled.ts')).keepCompiled()
  const command = await listed.load()
  if (asksForHelp(args)) {
    process.stdout.write(command.help)
  } else {
    try {
      process.exitCode = await command.run(args)
    } catch (error) {
      const { explainFailure } = await import('./explain-failure.ts')
      process.exitCode = explainFailure(error, name)
    }
  }
}
