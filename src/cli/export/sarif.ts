import { openFindings } from '../findings/open-findings.ts'
import { programVersion } from '../program-version.ts'
import { gatherRules } from '../scan/gather-findings.ts'
import { sarifDocument } from '../scan/reports/sarif.ts'
import { activeTests } from '../scan/select.ts'
import type { Exporter } from './exporter.ts'

/** SARIF 2.1.0 of the open issues of a collection, one result for each cause; ignored ones are suppressed. */
export const sarifExporter: Exporter = async ({ client, collectionId, name }) => {
  const source = { client, tests: await activeTests(client), baseline: null }
  const findings = await openFindings(source, collectionId)
  return sarifDocument({
    toolVersion: programVersion(),
    rules: await gatherRules(source, findings),
    findings,
    inputs: [],
    invocation: { executionSuccessful: true, endTimeUtc: new Date().toISOString() },
    properties: { collection: name },
  })
}
