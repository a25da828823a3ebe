/**
 * A round number that the highest bar does not exceed and whose half is whole: that is the mark in the middle, and half an
 * event is none.
 */
export function scaleOf(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 1)))
  const factor = [1, 2, 4, 5, 6, 8].find((one) => one * power >= highest && (one * power) % 2 === 0) ?? 10
  return factor * power
}
