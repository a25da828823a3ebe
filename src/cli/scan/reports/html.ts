import { escapeMarkup } from '../../../kit/index.ts'
import {
  countBySeverity,
  distinctPlaces,
  failingFindings,
  type ScanFinding,
  type ScanResult,
  type ScanRule,
  severityOrder,
} from '../scan-result.ts'
import { verdictLine } from '../summary-text.ts'

const STYLE = `
:root{color-scheme:light dark;--line:#c9ced6;--soft:#f3f5f8;--text:#16191d;--back:#fff;--CRITICAL:#7a0c4c;--HIGH:#a31515;--MEDIUM:#7a4b00;--LOW:#0b5a6f;--INFO:#4a5160}
@media (prefers-color-scheme:dark){:root{--line:#454c57;--soft:#23282f;--text:#e9ecf0;--back:#16191d;--CRITICAL:#ff9fd0;--HIGH:#ff9c9c;--MEDIUM:#ffca7a;--LOW:#86dbf0;--INFO:#c3c9d3}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back);max-width:64rem;margin:0 auto;padding:1.5rem 1rem 4rem;overflow-wrap:anywhere}
h1{font-size:1.6rem}h2{font-size:1.25rem;margin-top:2.5rem}h3{font-size:1.05rem;margin:0}
table{border-collapse:collapse;width:100%;margin:1rem 0}caption{text-align:left;font-weight:600;padding:.25rem 0}
th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}td.n,th.n{text-align:right}
article{border:1px solid var(--line);border-left-width:.4rem;border-radius:.3rem;padding:1rem;margin:1rem 0}
.s{font-weight:700}pre{background:var(--soft);padding:.75rem;white-space:pre-wrap;margin:.5rem 0}
summary{cursor:pointer;font-weight:600}code{background:var(--soft);padding:0 .25rem}dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dt{font-weight:600}dd{margin:0}
${severityOrder.map((severity) => `.${severity}{border-left-color:var(--${severity})}.${severity} .s,span.${severity}{color:var(--${severity})}`).join('\n')}
`

/** One page that opens offline: no script, no request, light and dark. */
export function htmlReport(result: ScanResult): string {
  const failing = failingFindings(result)
  const others = result.findings.filter((finding) => !failing.includes(finding))
  const rules = new Map(result.rules.map((rule) => [rule.id, rule]))
  const articles = (findings: readonly ScanFinding[]): string =>
    findings.map((finding) => article(finding, rules.get(finding.testId))).join('')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${html(`Vigil scan of ${result.target}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${html(`Vigil scan of ${result.target}`)}</h1>
<p><strong>${html(verdictLine(result))}</strong></p>
${facts(result)}
${severityTable(result)}
${failing.length > 0 ? `<h2>Findings that fail the scan</h2>${articles(failing)}` : ''}
${others.length > 0 ? `<h2>Other findings</h2>${articles(others)}` : ''}
${reasons(result)}
</main>
</body>
</html>
`
}

function facts(result: ScanResult): string {
  const { checks, inputs, warnings } = result
  const rows: [string, string][] = [
    ['Started', result.startedAt],
    ['Took', `${result.seconds} s`],
    ['Files', inputs.map(({ file, format, taken }) => `${file} (${format}, ${taken} entries)`).join(', ')],
    ['Endpoints', String(result.endpoints)],
    ['Tests', String(result.tests)],
    ['Requests', String(result.requests)],
    [
      'Checks',
      `${checks.found} found something, ${checks.passed} passed, ${checks.notTested} not tested, ${checks.notApplicable} not applicable`,
    ],
    ...warnings.map((warning): [string, string] => ['Warning', warning]),
  ]
  return `<dl>${rows.map(([name, value]) => `<dt>${html(name)}</dt><dd>${html(value)}</dd>`).join('')}</dl>`
}

function severityTable({ findings }: ScanResult): string {
  const all = countBySeverity(findings)
  const fresh = countBySeverity(findings.filter(({ status }) => status === 'NEW'))
  const rows = severityOrder
    .map(
      (severity) =>
        `<tr><th scope="row"><span class="${severity}">${capital(severity)}</span></th><td class="n">${all[severity]}</td><td class="n">${fresh[severity]}</td></tr>`,
    )
    .join('')
  return `<table><caption>Findings by severity</caption><thead><tr><th scope="col">Severity</th><th scope="col" class="n">All</th><th scope="col" class="n">New</th></tr></thead><tbody>${rows}</tbody></table>`
}

function article(finding: ScanFinding, rule: ScanRule | undefined): string {
  const { severity, places, proof, status } = finding
  const known = { NEW: '', KNOWN: ' (in the baseline)', IGNORED: ' (ignored)' }[status]
  const about = [finding.category, ...(rule?.cwe ?? []), ...(rule?.tags ?? [])].join(', ')
  return `<article class="${severity}">
<h3><span class="s">${capital(severity)}</span> ${html(finding.name)}${known}</h3>
<ul>${distinctPlaces(places)
    .map((place) => `<li><code>${html(place)}</code></li>`)
    .join('')}</ul>
<p>${html(places[0]?.reason ?? '')}</p>
<p>${html(about)}. Fingerprint <code>${html(finding.fingerprint)}</code></p>
${proof === null ? '' : details('Proof', `${pre(proof.request)}${pre(proof.response)}`)}
${rule ? details('About this weakness', `${paragraph(rule.description)}${paragraph(rule.impact)}${rule.remediation === '' ? '' : pre(rule.remediation)}${links(rule.references)}`) : ''}
</article>`
}

function reasons({ notTested }: ScanResult): string {
  if (notTested.length === 0) return ''
  const rows = notTested
    .map(({ reason, checks, tests, endpoints }) => {
      const numbers = [checks, tests, endpoints].map((count) => `<td class="n">${count}</td>`).join('')
      return `<tr><td>${html(reason)}</td>${numbers}</tr>`
    })
    .join('')
  return `<h2>Not tested</h2><table><caption>Checks without a verdict, by reason</caption><thead><tr><th scope="col">Reason</th><th scope="col" class="n">Checks</th><th scope="col" class="n">Tests</th><th scope="col" class="n">Endpoints</th></tr></thead><tbody>${rows}</tbody></table>`
}

function details(title: string, body: string): string {
  return `<details><summary>${title}</summary>${body}</details>`
}

function pre(text: string): string {
  return text === '' ? '' : `<pre>${html(text)}</pre>`
}

function paragraph(text: string): string {
  return text === '' ? '' : `<p>${html(text)}</p>`
}

/** As text that links only where it is a web address. */
function links(references: readonly string[]): string {
  const items = references.map((reference) =>
    /^https?:\/\//.test(reference)
      ? `<li><a href="${html(reference)}" rel="noreferrer">${html(reference)}</a></li>`
      : `<li>${html(reference)}</li>`,
  )
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`
}

function capital(word: string): string {
  return word[0]! + word.slice(1).toLowerCase()
}

function html(text: string): string {
  return escapeMarkup(text.toWellFormed())
}
