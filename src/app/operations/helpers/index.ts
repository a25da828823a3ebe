import type { Handlers } from '../../handler.ts'
import { downloadBurpPluginJar } from './downloadBurpPluginJar.ts'
import { fetchBurpCredentials } from './fetchBurpCredentials.ts'
import { fetchBurpPluginDownloadLink } from './fetchBurpPluginDownloadLink.ts'
import { fetchBurpPluginInfo } from './fetchBurpPluginInfo.ts'
import { sendHealthCheck } from './sendHealthCheck.ts'

/** Burp helpers. */
export const helperHandlers = {
  downloadBurpPluginJar,
  fetchBurpCredentials,
  fetchBurpPluginDownloadLink,
  fetchBurpPluginInfo,
  sendHealthCheck,
} satisfies Handlers
