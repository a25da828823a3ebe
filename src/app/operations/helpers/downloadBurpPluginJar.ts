import { nowSeconds } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { noteBurpExtension } from './burp-extension.ts'

/** Notes that the caller downloads the extension; the file itself is where the download link says. */
export const downloadBurpPluginJar: Handler<'downloadBurpPluginJar'> = async (_input, { app, caller }) => {
  await noteBurpExtension(app, caller.userId, { downloadedAt: nowSeconds() })
  return {}
}
