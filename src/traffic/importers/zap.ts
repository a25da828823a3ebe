import { DecodeBudget } from '../decode-budget.ts'
import { decodeInput } from '../decode-input.ts'
import { unreadable } from '../failures.ts'
import { jsonAlerts, xmlAlerts, type ZapAlert, zapFindings } from '../findings/zap-report.ts'
import { importedTime, MAX_BODY } from '../import-entry.ts'
import { ImportReportWriter } from '../import-report.ts'
import type { Importer } from '../importer.ts'
import { parseJsonDocument } from '../json-document.ts'
import { asObject, own } from '../untrusted-value.ts'
import { isFault, readXmlTree } from '../xml-tree.ts'

/**
 * Reports of ZAP in JSON and XML ("traditional", with or without requests and responses): each place of an alert is a
 * finding. Informational alerts and those marked as false are skipped.
 */
export const zapImporter: Importer = {
  name: 'zap',
  label: 'ZAP report (JSON or XML)',
  endings: [],
  detect: ({ shape, keys, isArray, head }) =>
    shape === 'xml'
      ? /<OWASPZAPReport[\s>/]/.test(head)
      : !isArray && keys.has('site') && keys.has('@version'),
  read(input, options = {}) {
    const { text, warnings } = decodeInput(input)
    const report = new ImportReportWriter(options.fileName ?? 'ZAP report')
    for (const { where, reason } of warnings) report.warn(where, reason)
    const { alerts, generated } = /^\s*</.test(text) ? readXml(text) : readJson(text, report)
    const at = importedTime(generated, options, [])
    const findings = zapFindings(alerts, { report, budget: new DecodeBudget(), at })
    return { importer: 'zap', exchanges: [], findings, declared: [], report }
  },
}

interface ReadReport {
  readonly alerts: Iterable<ZapAlert>
  readonly generated: unknown
}

function readXml(text: string): ReadReport {
  const root = readXmlTree(text, MAX_BODY)
  if (isFault(root)) throw unreadable('zap', root.reason, root.where)
  if (root.name !== 'OWASPZAPReport')
    throw unreadable('zap', `its root element is "${root.name.slice(0, 40)}", not "OWASPZAPReport"`)
  return {
    alerts: xmlAlerts(root),
    generated: root.attributes.get('created') ?? root.attributes.get('generated'),
  }
}

function readJson(text: string, report: ImportReportWriter): ReadReport {
  const { value, warnings } = parseJsonDocument(text, 'zap')
  for (const reason of warnings) report.warn('', reason)
  const root = asObject(value)
  if (root === undefined || !Array.isArray(own(root, 'site')))
    throw unreadable('zap', 'it has no "site" list')
  return { alerts: jsonAlerts(root), generated: own(root, 'created') ?? own(root, '@generated') }
}
