import type { RequestDraft } from '../attempts/index.ts'

/** Files without which an operating system, or who signs in to it, is lost. */
const SYSTEM_FILE =
  /etc\/+(?:passwd|shadow|group|sudoers|hosts|fstab)|windows\/+(?:win\.ini|system32)|boot\.ini|\.ssh\/+|authorized_keys/i
/** How often a payload may be encoded. */
const MOST_DECODINGS = 3

/**
 * Whether a request names a system file: a write of it, such as an upload by that name, could overwrite or delete the file
 * where the application runs with the rights for that.
 */
export function namesSystemFile({ url, query, body }: RequestDraft): boolean {
  // A file that is named by its URL is read, if anything.
  let text = `${url}?${query}\n${body.text}`.replaceAll(/file:\/+[\w./-]*/gi, '')
  for (let i = 0; i <= MOST_DECODINGS; i++) {
    if (SYSTEM_FILE.test(text.replaceAll('\\', '/'))) return true
    text = text.replaceAll(/%[0-9a-f]{2}/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    )
  }
  return false
}
