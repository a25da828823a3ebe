import { Failure, settingFlag, settingList } from '../kit/index.ts'
import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { exitCodes } from './exit-codes.ts'
import { printResult } from './print-result.ts'
import { readArguments } from './read-arguments.ts'
import { takeWords } from './words.ts'

/** Scripts by their shells, of the names of commands and of flags. */
const SCRIPTS: Readonly<Record<string, (names: string, flags: string) => string>> = {
  bash: (names, flags) => `_vigil() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W '${names}' -- "$word"))
  elif [[ $word == --* ]]; then COMPREPLY=($(compgen -W '${flags}' -- "$word"))
  else COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _vigil vigil
`,
  zsh: (names, flags) => `#compdef vigil
_vigil() {
  if (( CURRENT == 2 )); then compadd -- ${names}
  elif [[ $words[CURRENT] == --* ]]; then compadd -- ${flags}
  else _files; fi
}
compdef _vigil vigil
`,
  fish: (names, flags) => `complete -c vigil -n __fish_use_subcommand -f -a '${names}'
for flag in ${flags}
  complete -c vigil -n 'not __fish_use_subcommand' -l (string sub -s 3 -- $flag)
end
`,
}

/** `vigil completion`: a script that completes commands and settings in a shell. */
export const completion: Command = {
  help: `Usage: vigil completion bash|zsh|fish [--json]

Prints a script that completes commands, settings and file names. For bash, in ~/.bashrc: source <(vigil completion bash);
for zsh, in ~/.zshrc: source <(vigil completion zsh);
for fish: vigil completion fish > ~/.config/fish/completions/vigil.fish
`,
  async run(args) {
    const given = readArguments(args)
    const [shell] = takeWords(given.words, ['shell'])
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined
    if (script === undefined)
      throw new Failure('BAD_COMMAND', {
        reason: `<shell> is ${Object.keys(SCRIPTS).join(', ')}, not ${shell}`,
      })
    const flags = settingList.map(({ name }) => `--${settingFlag(name)}`)
    const text = script(commands.map(({ name }) => name).join(' '), ['--help', '--json', ...flags].join(' '))
    printResult(given, { shell, script: text }, text)
    return exitCodes.done
  },
}
