import type { Handlers } from '../../handler.ts'
import { convertSamleDataToBurpRequest } from './convertSamleDataToBurpRequest.ts'
import { convertSampleDataToCurl } from './convertSampleDataToCurl.ts'
import { downloadBurpPluginJar } from './downloadBurpPluginJar.ts'
import { fetchBurpCredentials } from './fetchBurpCredentials.ts'
import { fetchBurpPluginDownloadLink } from './fetchBurpPluginDownloadLink.ts'
import { fetchBurpPluginInfo } from './fetchBurpPluginInfo.ts'
import { fetchRecordedFlowOutput } from './fetchRecordedFlowOutput.ts'
import { fetchRecordedLoginScreenshots } from './fetchRecordedLoginScreenshots.ts'
import { importInBurp } from './importInBurp.ts'
import { sendHealthCheck } from './sendHealthCheck.ts'
import { uploadRecordedFlow } from './uploadRecordedFlow.ts'

/** Burp helpers. */
export const helperHandlers = {
  convertSamleDataToBurpRequest,
  convertSampleDataToCurl,
  downloadBurpPluginJar,
  fetchBurpCredentials,
  fetchBurpPluginDownloadLink,
  fetchBurpPluginInfo,
  fetchRecordedFlowOutput,
  fetchRecordedLoginScreenshots,
  importInBurp,
  sendHealthCheck,
  uploadRecordedFlow,
} satisfies Handlers
