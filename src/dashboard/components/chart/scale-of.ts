/** A round number that the highest bar does not exceed: 1, 2 or 5 times a power of ten. */
export function scaleOf(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 1)))
  const factor = [1, 2, 5, 10].find((one) => one * power >= highest) ?? 10
  return factor * power
}
