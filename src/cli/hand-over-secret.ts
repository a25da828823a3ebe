import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const OWNER_ONLY = 0o600

/** A secret that the person who starts the server needs once. */
interface SecretToHandOver {
  /** Where it is kept, and for whom to look. */
  readonly dataDir: string
  /** Name of its file in the data folder. */
  readonly file: string
  /** What it is, as a heading: `Set-up code for the first sign-up`. */
  readonly title: string
  readonly secret: string
}

/** How a secret is handed over. */
export interface HandedSecret {
  /** For the person who starts the server. */
  readonly line: string
  /** The file that holds the secret; null when the line shows it. */
  readonly file: string | null
}

/**
 * Hands a secret over: the secret itself at a terminal; else, because logs are kept and read by others, the name of a
 * file that only the owner may read, which is written here.
 */
export function handOverSecret(
  { dataDir, file, title, secret }: SecretToHandOver,
  isTerminal: boolean,
): HandedSecret {
  if (isTerminal) return { line: `${title}: ${secret}`, file: null }
  const path = join(dataDir, file)
  // A new file: the mode of one that is there already would stay.
  rmSync(path, { force: true })
  writeFileSync(path, `${secret}\n`, { mode: OWNER_ONLY, flag: 'wx' })
  return { line: `${title}: in the file ${path}`, file: path }
}

/** Removes the file of a secret that is needed no longer. */
export function removeSecretFile(dataDir: string, file: string): void {
  rmSync(join(dataDir, file), { force: true })
}
