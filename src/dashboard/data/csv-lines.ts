/** A cell that spreadsheets take as text: quoted where needed, and never the start of a formula. */
function cell(value: string): string {
  const inert = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}

/** Lines of comma-separated values (RFC 4180). */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return `${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}
