import { nearestWord } from '../../kit/index.ts'
import { itemsOf, type Place, type Problem, type YamlMap, type YamlNode } from '../../rules/index.ts'

/** What follows the name of a misspelt key of a filter. */
const UNKNOWN_KEY = ' is not a filter key.'

/** What is wrong with a filter, gathered while it is read. */
export class FilterReport {
  readonly problems: Problem[] = []

  get hasErrors(): boolean {
    return this.problems.some(({ severity }) => severity === 'error')
  }

  error(message: string, place: Place, nearest: string | null = null): void {
    this.problems.push({ severity: 'error', message, place, nearest })
  }

  warn(message: string, place: Place, nearest: string | null = null): void {
    this.problems.push({ severity: 'warning', message, place, nearest })
  }

  /** Names every key of a map that is not one of these: as an error, or as a warning. */
  otherKeys(map: YamlMap, known: readonly string[], severity: Problem['severity']): void {
    for (const { key, keyPlace } of map.entries) {
      if (known.includes(key)) continue
      const nearest = nearestWord(key, known)
      if (severity === 'error')
        this.error(`unknown key ${key}, known are ${known.join(', ')}`, keyPlace, nearest)
      else this.warn(`The key ${key} is ignored.`, keyPlace, nearest)
    }
  }

  /**
   * Names every key of a map that is not one of these: as an error where it looks like a known one, since what is below it
   * would be believed to hold, and as a warning otherwise. Words that are known and ignored mislead nobody.
   */
  misspeltKeys(map: YamlMap, known: readonly string[], ignored: readonly string[]): void {
    for (const { key, keyPlace } of map.entries) {
      if (known.includes(key)) continue
      const nearest = nearestWord(key, known)
      if (nearest === null || ignored.includes(nearest)) this.warn(`The key ${key} is ignored.`, keyPlace)
      else this.error(`${key}${UNKNOWN_KEY}`, keyPlace, nearest)
    }
  }

  /** The text of a node, trimmed; '' when there is none. Numbers and booleans are texts as they are written. */
  text(node: YamlNode | undefined, what: string): string {
    if (node === undefined) return ''
    if (node.kind === 'scalar') return node.value === null ? '' : String(node.value).trim()
    this.error(`${what} must be a text.`, node.place)
    return ''
  }

  /** The texts of a list, or of one text; null when there is none. */
  texts(node: YamlNode | undefined, what: string): string[] | null {
    if (node === undefined || (node.kind === 'scalar' && node.value === null)) return null
    return itemsOf(node).map((item) => this.text(item, `An item of ${what}`))
  }

  /** An integer inside bounds; null, with an error, for everything else. */
  integer(
    node: YamlNode | undefined,
    what: string,
    least: number,
    most: number,
    owner: Place,
  ): number | null {
    const value = node?.kind === 'scalar' ? Number(node.value) : Number.NaN
    if (node?.kind === 'scalar' && node.value !== null && typeof node.value !== 'boolean')
      if (Number.isInteger(value) && value >= least && value <= most) return value
    this.error(`${what} must be an integer from ${least} to ${most}.`, node?.place ?? owner)
    return null
  }
}
