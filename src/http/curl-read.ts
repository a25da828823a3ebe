import { applyCurlOption, buildCurlRequest, CurlDraft } from './curl-draft.ts'
import type { CurlOption } from './curl-options.ts'
import { longOption, shortOption } from './curl-options.ts'
import type { RequestMessage } from './exchange.ts'
import { readShellCommand } from './shell-words.ts'

/** One curl command of a text: its requests, or why it has none. */
export interface CurlEntry {
  /** Offset of the command in the text. */
  readonly offset: number
  readonly requests: readonly RequestMessage[]
  readonly notes: readonly string[]
  readonly problem?: string
}

const COMMAND_START =
  /^[ \t]*(?:[$%>#][ \t]+)?(?:[A-Za-z_]\w*=[^\s'"]*[ \t]+)*(?:[^\s'"=]*[/\\])?curl(?:\.exe)?(?=[ \t\r\n\\]|$)/
const WINDOWS_QUOTING = /curl(?:\.exe)?[ \t]+\^"/
/** What stands before a command behind another one, within one, or behind a word of the shell. */
const BEFORE_COMMAND =
  /(?:[;|&(`]|\b(?:do|then|else|time|sudo|exec|xargs)[ \t])[ \t]*(?:[A-Za-z_]\w*=[^\s'"]*[ \t]+)?(?:[\w.~/\\-]*[/\\])?$/
const MAX_BEFORE = 80
/** Prose that mentions curl names no option or URL next. */
const COMMAND_AHEAD = /^curl(?:\.exe)?[ \t]+(?:["'$-]|\w{1,10}:\/\/)/
const CURL_WORD = /(?:^|[/\\])curl(?:\.exe)?$/

/** Offsets in `text` where a line starts a curl command. */
export function curlStartsAt(text: string, lineStart: number): boolean {
  return COMMAND_START.test(text.slice(lineStart, lineStart + 1000))
}

/** True for a mention of curl that is a command though something stands before it on its line. */
function isCommandWithin(text: string, lineStart: number, mention: number): boolean {
  if (!COMMAND_AHEAD.test(text.slice(mention, mention + 40))) return false
  return BEFORE_COMMAND.test(text.slice(Math.max(lineStart, mention - MAX_BEFORE), mention))
}

/** The line that begins at an offset, as far as a command's beginning is looked at. */
function lineAt(text: string, lineStart: number): string {
  const end = text.indexOf('\n', lineStart)
  return text.slice(lineStart, Math.min(end < 0 ? text.length : end, lineStart + 1000))
}

/** Mere mentions of curl are looked at up to this number; a text with more is not a list of commands. */
const MAX_PASSED = 500_000

/**
 * Reads every curl command of a text, behind other commands of its line too. Lines without one are passed over.
 * Nothing is run, no variable expanded, no file read: what a command takes from a file (`@name`) stays empty and is
 * noted.
 */
export function* readCurl(text: string): Generator<CurlEntry> {
  let from = 0
  let passed = 0
  const work = { wasted: 0 }
  for (;;) {
    const mention = text.indexOf('curl', from)
    if (mention < 0) return
    if (passed > MAX_PASSED || work.wasted > 2 * text.length + 1_000_000) {
      yield {
        offset: mention,
        requests: [],
        notes: [],
        problem: 'too much text that is not a command; reading stops here',
      }
      return
    }
    const lineStart = from + text.slice(from, mention).lastIndexOf('\n') + 1
    const isWholeLine = lineStart === 0 || text[lineStart - 1] === '\n'
    if (!isWholeLine || !curlStartsAt(text, lineStart)) {
      passed++
      if (isCommandWithin(text, lineStart, mention)) from = yield* readWithin(text, mention, work)
      else from = mention + 'curl'.length
    } else if (WINDOWS_QUOTING.test(lineAt(text, lineStart))) {
      yield {
        offset: lineStart,
        requests: [],
        notes: [],
        problem: 'Windows quoting with ^; copy the bash form',
      }
      from = nextLine(text, lineStart)
    } else from = yield* readLineOfCommands(text, lineStart, work)
  }
}

function nextLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}

/** The commands of a line from one within it on; in backquotes or parentheses only what stands between them. */
function* readWithin(text: string, start: number, work: { wasted: number }): Generator<CurlEntry, number> {
  const close = text[start - 1] === '`' ? text.indexOf('`', start) : -1
  if (close < 0 || text.slice(start, close).includes('\n'))
    return yield* readLineOfCommands(text, start, work)
  yield* readLineOfCommands(text.slice(0, close), start, work)
  return close + 1
}

/** The commands of one logical line, or of the parentheses in it; returns the offset to continue at. */
function* readLineOfCommands(
  text: string,
  start: number,
  work: { wasted: number },
): Generator<CurlEntry, number> {
  let offset = start
  for (;;) {
    const command = readShellCommand(text, offset)
    if (command.problem !== undefined) {
      yield { offset, requests: [], notes: [], problem: command.problem }
      // Reading continues at the next line, so the same text may be looked at again; that must not add up.
      work.wasted += command.end - offset
      return nextLine(text, offset)
    }
    const curlAt = command.words.findIndex((word) => CURL_WORD.test(word))
    if (curlAt >= 0) yield { offset, ...readCurlWords(command.words.slice(curlAt + 1), [...command.notes]) }
    if (command.terminator !== 'operator' || command.end >= text.length) return command.end
    offset = command.end
  }
}

/**
 * The requests that the words behind `curl` describe (curl manual page); several with `--next` or several URLs.
 * `notes` collects what could not be followed exactly.
 */
function readCurlWords(words: readonly string[], notes: string[]): Omit<CurlEntry, 'offset'> {
  const requests: RequestMessage[] = []
  let draft = new CurlDraft()
  const finish = (): string | undefined => {
    for (const url of draft.urls) {
      const request = buildCurlRequest(draft, url, notes)
      if (typeof request === 'string') return request
      requests.push(request)
    }
    draft = new CurlDraft()
    return undefined
  }
  let optionsEnded = false
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    if (optionsEnded || word === '' || word === '-' || !word.startsWith('-')) draft.urls.push(word)
    else if (word === '--') optionsEnded = true
    else {
      for (const { option, inline } of optionsOf(word)) {
        let value = inline
        if (option.takesValue && value === undefined) {
          i++
          value = words[i]
          if (value === undefined) return { requests, notes, problem: `${word.slice(0, 40)} wants a value` }
        }
        if (option.action === 'next') {
          const problem = finish()
          if (problem !== undefined) return { requests, notes, problem }
        } else applyCurlOption(draft, option.action, value ?? '', notes)
      }
    }
  }
  const problem = finish() ?? (requests.length === 0 ? 'it names no URL' : undefined)
  return { requests, notes, problem }
}

/** The options of one word: `--long`, or letters as in `-sSXPOST`, where a value may follow its letter directly. */
function optionsOf(word: string): { option: CurlOption; inline?: string }[] {
  if (word.startsWith('--')) return [{ option: longOption(word.slice(2)) }]
  const found: { option: CurlOption; inline?: string }[] = []
  for (let i = 1; i < word.length; i++) {
    const option = shortOption(word[i]!)
    if (!option.takesValue) {
      found.push({ option })
      continue
    }
    const rest = word.slice(i + 1)
    found.push({ option, inline: rest === '' ? undefined : rest })
    break
  }
  return found
}
