import { execFileSync } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import { completion } from './completion.ts'

async function scriptFor(shell: string): Promise<string> {
  const said: string[] = []
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  await completion.run([shell]).finally(() => spy.mockRestore())
  return said.join('')
}

/** What bash proposes for the last of the words. */
async function proposals(...words: string[]): Promise<string[]> {
  const ask = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _vigil; printf '%s\\n' "\${COMPREPLY[@]}"`
  const script = `${await scriptFor('bash')}${ask}`
  const text = execFileSync('bash', ['--norc', '-c', script, 'bash', ...words], { encoding: 'utf8' })
  return text.split('\n').filter((line) => line !== '')
}

test('bash completes commands, settings and files', async () => {
  expect(await proposals('vigil', 'sc')).toEqual(['scan'])
  expect(await proposals('vigil', 'start', '--data-')).toEqual(['--data-dir'])
  expect(await proposals('vigil', 'scan', 'package.js')).toEqual(['package.json'])
})

test('zsh and fish have scripts with every command', async () => {
  for (const shell of ['zsh', 'fish']) expect(await scriptFor(shell)).toMatch(/\bscan\b.*\brestore\b/)
})

test('another shell is refused with those that are known', async () => {
  await expect(completion.run(['tcsh'])).rejects.toMatchObject({
    code: 'BAD_COMMAND',
    details: { reason: '<shell> is bash, zsh, fish, not tcsh' },
  })
})
