/** The language of filters of live traffic for people, from the definitions. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPERATORS, OPERATORS_OF_TESTS, TERMS } from '../src/rules/index.ts'
import { DISTINCT_SOURCES, FILTER_INFO_KEYS, FILTER_KEYS, RULE_KEYS } from '../src/threat/index.ts'

const PAGE = 'docs/reference/filters.md'

/** What terms of filters look at, where that is more than in security tests. */
const TERM_TEXTS: Readonly<Record<string, string>> = {
  url: 'The target as sent, its path decoded, and names and values of its query decoded.',
  query_param:
    'Names and values of the query, decoded; the text behind the question mark where a pattern asks for it.',
  request_headers:
    'Names and values of headers and cookies; all lines as sent where a pattern names a header line.',
  request_payload:
    'Keys, values and file names of the body, decoded; the body as sent where a pattern asks for it.',
  response_headers: 'Names and values of headers of the answer.',
  response_payload: 'Keys and values of the answer’s body; the body as sent where a pattern asks for it.',
  source_ip: 'Address of the actor.',
  country_code: 'Country of the actor, two letters; nothing holds while it is unknown.',
}

function table(rows: readonly (readonly [string, string])[]): string {
  const cells = rows.map(([name, text]) => `| \`${name}\` | ${text.replaceAll('|', '\\|')} |`)
  return ['| Name | Meaning |', '|---|---|', ...cells].join('\n')
}

function operatorRows(): [string, string][] {
  return OPERATORS.filter(({ name }) => !OPERATORS_OF_TESTS.has(name)).map(({ name, summary }) => [
    name,
    summary,
  ])
}

function termRows(): [string, string][] {
  return TERMS.filter(({ ignoresOperands }) => ignoresOperands !== true).map(({ name, summary }) => [
    name,
    TERM_TEXTS[name] ?? summary,
  ])
}

/** The reference page. */
export function filterPage(): string {
  return `# Filters of live traffic: reference

This page is generated from the definitions. A filter inspects every message. Where its condition holds, it creates an event, or a rule counts the match. Conditions have the same terms and operators as in security tests. Saving a malformed filter fails with the line, the key and a remedy: unknown words, misspelled or repeated keys, broken nesting, patterns that do not compile, and conditions that hold for every message or for none, such as blank texts, empty lists, and bounds that are not numbers or exclude everything. Minor problems (other unknown keys, look-around, patterns that differ slightly from Java) are returned as \`warnings\` and shown next to the editor of the dashboard.

\`\`\`yaml
id: UnionSelect
info:
  category: { name: SQL_INJECTION, displayName: SQL injection }
  severity: HIGH
filter:
  or:
    - request_payload: { regex: ['(?i)\\bunion\\s+(?:all\\s+)?select\\b'] }
    - url: { regex: ['(?i)\\bunion\\s+(?:all\\s+)?select\\b'] }
ignore:
  response_code: { gte: 400, lt: 500 }
\`\`\`

## Keys

${table(Object.entries(FILTER_KEYS))}

Keys of \`info\`:

${table(Object.entries(FILTER_INFO_KEYS))}

A filter of the category \`SuccessfulExploit\` makes no events: events of the same message are marked as successful. One of \`IgnoredEvent\` gives them the status IGNORED.

## Conditions

A map holds when all of its entries hold; \`or\` and \`and\` take lists. Below a term there are operators, \`and\`, \`or\`, \`length\`, and \`for_one\` or \`for_all\` with \`key\` and \`value\`: some or every named value, by name and value. A single operand may be written without a list.

${table(termRows())}

## Operators

${table(operatorRows())}

\`contains_all\` is satisfied by words in different fields of a term. \`not_contains\` and \`not_contains_either\` hold only when they hold of every reading of the text.

## Readings of a text

Each part of a message is read as its server would read it, and then decoded until nothing changes, four layers deep: percent codes, HTML entities, backslash escapes, Base64, JSON in strings, tokens, and a normalised form. Eight GraphQL requests or more in one list are read side by side as well, a line each (\`query: mutation { login(…) }\`, the first 200 characters), so that a pattern can count them. A term holds when any reading satisfies. The undecoded whole is searched as well where a pattern can only be met there: it asks for a percent sign or backslash, for JSON around a quotation mark, for pairs of a form, for lines of headers, or for markup in a body of markup.

Evidence of a hit names the part (\`request_payload\`), the field (\`items.name\`), the reading (\`raw\`, \`plain\`, or decodings from the outside in), the position of the match, and the match.

## Patterns

Patterns are found anywhere in the text, and are case-sensitive unless they start with \`(?i)\`. Java syntax is accepted: \`\\uXXXX\`, \`\\h\`, \`\\R\`, \`\\Z\`, \`\\Q…\\E\`, POSIX names and sets in sets are translated; possessive quantifiers and atomic groups are taken for ordinary ones, with a warning. Every pattern runs in time linear in the text. Patterns that look ahead or behind run on pieces of 8,192 characters, and a warning says that they take longer. Back-references are refused.

A pattern costs least when it cannot match without a word of two characters or more: texts without its words are not looked at. Counts up to 6 are cheapest.

A message gets at most 50 milliseconds of work; events of a message beyond that or beyond a limit of size, depth, count or layers are marked as truncated.

## Aggregation rules

With \`aggregation_rules\`, single hits make no events. Each item is a \`rule\` with \`name\` and \`condition\`:

${table(Object.entries(RULE_KEYS))}

\`distinctIdentifier\` takes \`source\` (${DISTINCT_SOURCES.map((source) => `\`${source}\``).join(', ')}) and \`key\`, the name of the field; of \`url\` the path is meant. Where \`subCategory\` is \`API_LEVEL_RATE_LIMITING\`, the first rule counts the calls of an endpoint from all callers together.
`
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return ''
  }
}

/** Path of the page when it is not what the definitions say. */
export function staleFilterReference(root: string): string[] {
  return textOf(join(root, PAGE)) === filterPage() ? [] : [PAGE]
}

/** Writes the page when it is stale; returns its path. */
export function generateFilterReference(root: string): string[] {
  const stale = staleFilterReference(root)
  if (stale.length > 0) writeFileSync(join(root, PAGE), filterPage())
  return stale
}
