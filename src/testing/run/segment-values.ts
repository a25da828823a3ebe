/** A custom verb or the ending of a format behind a value (`m1:start`, `7.pdf`). */
const SUFFIX = /(?::[a-z][A-Za-z]{2,60}(?:\.(?:json|xml|csv|pdf))?|\.(?:json|xml|csv|pdf))$/
/** Values of keys in parentheses (`Orders(5)`, `Lines(Order=5,Row='a')`), without their quotes. */
const KEY = /([(,=](?:'|%27)?)((?:(?!%27)[^'(),=])+)(?=(?:'|%27)?[,)])/g

/** What can be a value of a path's segment, still encoded: all of it, what a verb or an ending follows, keys in parentheses. */
export function segmentValues(segment: string): string[] {
  const values = [segment]
  replaceWithin(segment, (value) => {
    values.push(value)
    return value
  })
  return values
}

/** A segment with what {@link segmentValues} names within it replaced. */
export function replaceWithin(segment: string, change: (value: string) => string): string {
  const suffix = SUFFIX.exec(segment)?.[0] ?? ''
  const before = segment.slice(0, segment.length - suffix.length)
  if (before.endsWith(')'))
    return before.replace(KEY, (_, lead: string, value: string) => lead + change(value)) + suffix
  return suffix === '' || before === '' ? segment : change(before) + suffix
}
