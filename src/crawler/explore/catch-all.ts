import { createHash } from 'node:crypto'
import type { DriverPage } from '../browser/driver.ts'

/** A name that no application has. */
const UNKNOWN = 'vigil-no-such-page'
/** Beginning of a document that tells it from others, in characters. */
const COMPARED = 20_000
/** Folders asked about. */
const MOST_FOLDERS = 200

interface Unknown {
  readonly status: number
  readonly isRedirected: boolean
  readonly text: string
}

/**
 * What tells a document from others, whatever changes from one answer to the next: tokens, numbers, and the path that
 * was asked for.
 */
export function documentMark(text: string, path: string): string {
  const bare = text
    .slice(0, COMPARED)
    // The path itself, not the beginning of another one.
    .replaceAll(new RegExp(`${escaped(path)}(?=["'<\\s&?#])`, 'g'), '')
    .replace(/(\b(?:nonce|content|value|integrity)=)(?:"[^"]*"|'[^']*')/gi, '$1')
    .replace(/[0-9a-f]{8,}|\d+/gi, '#')
  return createHash('sha1').update(bare).digest('base64')
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

/**
 * What an application answers, folder by folder, for paths that it does not have. Many single-page applications answer
 * all of them with their entry document: that a path is answered is not evidence of a page then, and where they do so is
 * where their routes begin.
 */
export class CatchAll {
  readonly #answers = new Map<string, Promise<string | null>>()

  /** Whether a document is what the application sends for any path there. */
  async isAnswer(page: DriverPage, url: URL, text: string): Promise<boolean> {
    const mark = documentMark(text, url.pathname)
    const [, first = ''] = url.pathname.split('/')
    const folders = new Set(['/', `/${first}/`])
    for (const folder of folders) if ((await this.#at(page, `${url.origin}${folder}`)) === mark) return true
    return false
  }

  /**
   * The folder below which an application routes: the uppermost one that answers any path with the application's own
   * document. Null when none does.
   *
   * @param mark that of the document at the URL
   */
  async baseOf(page: DriverPage, url: URL, mark: string): Promise<string | null> {
    for (const folder of foldersOver(url))
      if ((await this.#at(page, `${url.origin}${folder}`)) === mark) return folder
    return null
  }

  #at(page: DriverPage, folder: string): Promise<string | null> {
    const known = this.#answers.get(folder)
    if (known !== undefined) return known
    if (this.#answers.size >= MOST_FOLDERS) return Promise.resolve(null)
    const asked = ask(page, folder)
    this.#answers.set(folder, asked)
    return asked
  }
}

/** Folders that the routes of a page may begin in: the root, the one it is in, and itself. */
export function foldersOver({ pathname }: URL): string[] {
  const folder = pathname.replace(/[^/]*$/, '')
  return [...new Set(['/', folder, `${pathname.replace(/\/$/, '')}/`])]
}

async function ask(page: DriverPage, folder: string): Promise<string | null> {
  page.cause = 'probe'
  try {
    const { isRedirected, text } = await page.evaluate<Unknown>(
      `fetch(${JSON.stringify(folder + UNKNOWN)}, { headers: { accept: 'text/html,*/*' }, signal: AbortSignal.timeout(4000) })
        .then(async (answer) => ({ status: answer.status, isRedirected: answer.redirected,
          text: (await answer.text()).slice(0, ${COMPARED}) }))`,
      { isolated: true, deadlineMs: 8000 },
    )
    return isRedirected ? null : documentMark(text, new URL(folder + UNKNOWN).pathname)
  } catch {
    // The page was replaced meanwhile, or is of another origin: nothing is known.
    return null
  }
}
