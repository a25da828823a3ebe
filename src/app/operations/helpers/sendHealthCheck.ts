import { nowSeconds } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { latestBurpVersion, noteBurpExtension } from './burp-extension.ts'

/** Notes that the caller's extension started, and tells which version is the newest. */
export const sendHealthCheck: Handler<'sendHealthCheck'> = async (input, { app, caller }) => {
  await noteBurpExtension(app, caller.userId, { startedAt: nowSeconds(), version: input.version })
  return { latestVersion: latestBurpVersion }
}
