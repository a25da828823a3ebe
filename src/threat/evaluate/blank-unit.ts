/** Whether a code unit counts as white space at the ends of a text: patterns look at what stands between. */
export function isBlank(unit: number): boolean {
  return unit <= 32 || unit === 0xa0 || unit === 0xfeff || unit === 0x2028 || unit === 0x2029
}
