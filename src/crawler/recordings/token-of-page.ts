import { Failure } from '../../kit/index.ts'
import type { DriverPage } from '../browser/driver.ts'
import type { SessionCookie } from '../browser/session.ts'
import { FlowError, withoutSecrets } from './flow-error.ts'

const COMMAND_MS = 30_000
const MAX_TOKEN_CHARS = 64_000

/**
 * Evaluates the command that yields the token, in the page and nowhere else. It is its own script, never part of
 * another; `cookieMap` holds the cookies by name while it runs, those that scripts otherwise cannot read included.
 *
 * @returns its value as text; objects as JSON
 * @throws FlowError when it fails, takes longer than thirty seconds, or yields nothing
 */
export async function tokenOfPage(
  page: DriverPage,
  command: string,
  cookies: readonly SessionCookie[],
  secrets: readonly string[],
): Promise<string> {
  const usesCookies = command.includes('cookieMap')
  const map = Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
  let value: unknown
  try {
    if (usesCookies) await page.evaluate(`void (globalThis.cookieMap = ${JSON.stringify(map)})`)
    value = await page.evaluate(command, { deadlineMs: COMMAND_MS })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const reason =
      error.code === 'BROWSER_TIMED_OUT'
        ? 'it did not end within 30 seconds'
        : String(error.details['reason'] ?? error.code).split('\n')[0]!
    throw new FlowError(0, withoutSecrets(`the token command failed: ${reason}`, secrets), { cause: error })
  } finally {
    if (usesCookies) await page.evaluate('void delete globalThis.cookieMap').catch(ignoreGone)
  }
  if (value === null || value === undefined || value === '')
    throw new FlowError(0, 'the token command yielded nothing')
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (text.length > MAX_TOKEN_CHARS) throw new FlowError(0, 'the token command yielded too much')
  return text
}

/** A page that the command itself left has no variable to remove. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof Failure)) throw error
}
