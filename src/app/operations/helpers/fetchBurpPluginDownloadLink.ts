import { baseUrlOf } from '../../base-url.ts'
import type { Handler } from '../../handler.ts'

/** Where people find out how to send traffic from Burp: the address that was set, else the page for adding traffic. */
export const fetchBurpPluginDownloadLink: Handler<'fetchBurpPluginDownloadLink'> = async (
  _input,
  { app },
) => ({
  burpGithubLink: app.settings.burpPluginUrl ?? `${baseUrlOf(app.settings)}/start`,
})
