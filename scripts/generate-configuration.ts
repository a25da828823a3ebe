import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingFlag, settingList, settingVariable } from '../src/kit/index.ts'

const OUTPUT = 'docs/configuration.md'

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

/** The configuration page from the table of settings. */
export function configurationPage(): string {
  const rows = settingList.map(({ name, setting }) => {
    const secret = setting.isSecret
      ? ` Secret: never printed; \`${settingVariable(name)}_FILE\` names a file that holds it.`
      : ''
    return `| \`${settingVariable(name)}\` | \`--${settingFlag(name)}\` | ${cell(setting.accepts)} | ${cell(setting.fallbackText)} | ${cell(setting.about)}${secret} |`
  })
  return `# Configuration

Every setting has a default. A flag of \`vigil start\` outranks the environment variable. An unknown \`VIGIL_\` variable is an error that names the nearest known one. \`vigil config\` prints every value with where it came from.

This page is generated from the table of settings.

| Variable | Flag | Accepts | Default | Meaning |
|---|---|---|---|---|
${rows.join('\n')}
`
}

/** The page's path when its text on disk is not what the table says. */
export function staleConfiguration(root: string): string[] {
  let text = ''
  try {
    text = readFileSync(join(root, OUTPUT), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return text === configurationPage() ? [] : [OUTPUT]
}

/** Writes the page when it is stale; returns its path then. */
export function generateConfiguration(root: string): string[] {
  const stale = staleConfiguration(root)
  for (const path of stale) writeFileSync(join(root, path), configurationPage())
  return stale
}
