const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' })

/** Name of a country of two letters. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code || 'unknown'
}
