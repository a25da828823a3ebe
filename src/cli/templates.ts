import { Failure } from '../kit/index.ts'
import type { Command } from './command.ts'
import { readArguments } from './read-arguments.ts'
import { installTemplates, updateTemplates } from './templates/install.ts'
import { listTemplates } from './templates/list.ts'
import { newTemplate } from './templates/new.ts'
import { runTemplateCases } from './templates/test.ts'
import { validateTemplates } from './templates/validate.ts'

const ACTIONS = {
  list: listTemplates,
  validate: validateTemplates,
  test: runTemplateCases,
  new: newTemplate,
  install: installTemplates,
  update: updateTemplates,
} as const

/** `vigil templates`: security tests as files, without a server. */
export const templates: Command = {
  help: `Usage: vigil templates list [<file|folder> …]
       vigil templates validate <file|folder> …
       vigil templates test <file|folder> …
       vigil templates new <ID> [--folder FOLDER]
       vigil templates install <git address|archive> [--ref NAME] [--folder vigil-templates]
       vigil templates update [--folder vigil-templates]
       Each takes --json.

Security tests as YAML files, without a server. list shows the built-in tests and those of --template-dirs, or of files
and folders. validate shows problems with line and column. test runs the cases beside each test (<name>.cases.yaml), each
against a server on this machine that answers by the rules of the case. new writes a test with three cases to start from.
install copies the tests of a library into a folder: from a git repository all branches, the default one first, or the
branch, tag or commit that --ref names; or from an archive (.tar.gz, .tgz, .tar), a file or a URL. Of several tests with
one id the first is taken. The commits are noted in vigil-templates.json. update replaces the folder with the newest state
of the same address. --template-dirs FOLDER (VIGIL_TEMPLATE_DIRS) lets scans and servers use it. Needs the program git for
repositories. Ends with code 1 when a test cannot be used, a case fails, or nothing could be installed.
`,
  async run(args) {
    const given = readArguments(args, ['folder', 'ref'])
    const [action = '', ...words] = given.words
    if (!Object.hasOwn(ACTIONS, action))
      throw new Failure('BAD_COMMAND', { reason: `vigil templates takes ${Object.keys(ACTIONS).join(', ')}` })
    return ACTIONS[action as keyof typeof ACTIONS](given, words)
  },
}
