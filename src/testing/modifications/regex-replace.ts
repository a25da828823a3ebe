import { compilePattern } from '../../rules/index.ts'
import type { Literal, LiteralMap } from '../template/template.ts'
import { isMap, textAt } from './values.ts'

/**
 * Replaces all matches of `regex` in a text by `replace_with`, in which `$1` stands for a group. The text itself for a
 * pattern that cannot be used; null when the map has no pattern.
 */
export function replacedText(text: string, form: LiteralMap): string | null {
  const regex = textAt(form, 'regex')
  if (regex === undefined) return null
  const pattern = compilePattern(regex)
  if (typeof pattern === 'string') return text
  const replacement = textAt(form, 'replace_with') ?? ''
  const groups = groupCount(regex)
  // A dollar sign of a payload that names no group is meant as it stands.
  const safe = replacement.replaceAll(/\\|\$(?!\d)|\$(\d)/g, (sign, digit?: string) =>
    digit !== undefined && Number(digit) <= groups ? sign : `\\${sign}`,
  )
  return pattern.replaceAll(text, safe)
}

function groupCount(regex: string): number {
  return regex.match(/(?<!\\)\((?!\?)/g)?.length ?? 0
}

/** The inner map of a form such as `regex_replace`; null when the argument is not of that form. */
export function formArgument(argument: Literal | undefined, word: string): LiteralMap | null {
  if (!isMap(argument) || !Object.hasOwn(argument, word)) return null
  const inner = argument[word]
  return isMap(inner) ? inner : null
}
