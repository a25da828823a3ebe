import { errorGroups } from '../errors.ts'
import { errorCodeHeader } from '../wire.ts'

/** docs/errors.md: the error table for people. */
export function errorPage(): string {
  const parts = Object.entries(errorGroups).flatMap(([title, rows]) => {
    const lines = Object.entries(rows).map(
      ([code, row]) => `| ${code} | ${row.status} | ${cell(row.message)} | ${cell(row.remedy)} |`,
    )
    if (lines.length === 0) return []
    return [
      `## ${title}`,
      ['| Code | Status | Sentence | What helps |', '|---|---|---|---|', ...lines].join('\n'),
    ]
  })
  const about = `Every error answers \`{"actionErrors": [sentences]}\` with the header \`${errorCodeHeader}\`. This page is generated from \`src/contract/errors/\`; do not edit it.`
  return `${['# Errors', about, ...parts].join('\n\n')}\n`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
