import type { Handler } from '../../handler.ts'

/** Where the installation sends people who want the extension. */
export const fetchBurpPluginDownloadLink: Handler<'fetchBurpPluginDownloadLink'> = async (
  _input,
  { app },
) => ({
  burpGithubLink: app.settings.burpPluginUrl,
})
