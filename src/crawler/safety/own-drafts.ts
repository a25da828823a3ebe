import { wordsOf } from './changing-words.ts'
import type { OutgoingRequest } from './reading-request.ts'

/** Drafts made in one crawl. */
const MOST = 10
/** Every value that forms are filled with has it in it, so that people recognise what a crawl left. */
const MARK = /vigil/i
/** Whether a text is, or speaks of, what a crawl has written. */
export function isMarked(text: string): boolean {
  return MARK.test(text)
}
/** Folders for what is its maker's own. */
const OWN_FOLDERS = /^(?:drafts?|notes?|notebooks?|todos?|scratch(?:pads?)?|bookmarks?|me|my|mine|private)$/
/** Words of what reaches others, or opens a door. */
const REACHES_OTHERS =
  /^(?:accounts?|admin|comments?|emails?|hooks?|invitations?|invites?|keys?|mails?|members?|messages?|orders?|payments?|permissions?|publish|reviews?|roles?|secrets?|sessions?|settings?|shares?|sms|tokens?|users?|webhooks?)$/

/** A record that the crawl made and has to remove. */
export interface OwnDraft {
  /** Absolute URL of the record. */
  readonly url: string
  /** Headers that let the application in. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * What a crawl may create although it changes nothing: a private draft that carries its mark, where the application is
 * known to have a way to delete it. Each is remembered until it was removed.
 */
export class OwnDrafts {
  /** Collections whose records can be deleted: URL without query. */
  readonly #deletable = new Set<string>()
  readonly #tried = new Set<string>()
  readonly #wanted = new Set<string>()
  readonly #lessons: string[] = []
  readonly #made = new Map<string, OwnDraft>()

  /** Notes that the application deletes records at such a URL. */
  noteDelete(url: URL): void {
    const folder = url.pathname.replace(/\/+$/, '').replace(/\/[^/]*$/, '')
    const place = url.origin + folder
    if (folder === '' || this.#deletable.size >= 1_000 || this.#deletable.has(place)) return
    this.#deletable.add(place)
    if (this.#wanted.delete(place)) this.#lessons.push(place)
  }

  /** A collection for which a draft was held back and may be made now; null when there is none. Each is reported once. */
  takeLesson(): string | null {
    return this.#lessons.pop() ?? null
  }

  /** Whether a draft for this URL was held back only because nobody knew how to delete it. */
  isWanted(url: URL): boolean {
    return this.#wanted.has(placeOf(url))
  }

  /** Whether a request creates a draft that can be removed again; asked once for each collection. */
  mayMake({ url, method, body }: OutgoingRequest): boolean {
    const place = placeOf(url)
    const isRecord = method === 'POST' && body !== null && body.trimStart().startsWith('{')
    if (!isRecord || url.search !== '' || this.#made.size >= MOST) return false
    if (this.#tried.has(place) || !MARK.test(body) || !isOwn(url, body)) return false
    if (!this.#deletable.has(place)) {
      if (this.#wanted.size < 1_000) this.#wanted.add(place)
      return false
    }
    this.#tried.add(place)
    return true
  }

  /** Whether a request is about a record that the crawl made. */
  isAboutOwn(url: URL): boolean {
    const place = placeOf(url)
    return [...this.#made.keys()].some((made) => place === made || place.startsWith(`${made}/`))
  }

  /** Keeps what was created. */
  keep(draft: OwnDraft): void {
    if (!this.#made.has(draft.url)) this.#made.set(draft.url, draft)
  }

  forget(url: string): void {
    this.#made.delete(url)
  }

  get made(): readonly OwnDraft[] {
    return [...this.#made.values()]
  }
}

/** URL of what an answer says was created; null when it says nothing of it. */
export function createdUrl(url: URL, location: string | undefined, body: string): string | null {
  const place = placeOf(url)
  if (location !== undefined && URL.canParse(location, url.href)) {
    const named = placeOf(new URL(location, url.href))
    if (named.startsWith(`${place}/`)) return named
  }
  try {
    const value = JSON.parse(body) as { data?: unknown } | null
    const id = idOf(value) ?? idOf(value?.data)
    return id === null ? null : `${place}/${encodeURIComponent(id)}`
  } catch {
    // No JSON.
    return null
  }
}

function idOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null
  for (const name of ['id', '_id', 'uuid', 'uid', 'objectId', 'key', 'slug']) {
    const id = (value as Record<string, unknown>)[name]
    if ((typeof id === 'string' && id !== '' && id.length < 200) || typeof id === 'number') return String(id)
  }
  return null
}

/** Its place or its content says that it is nobody else's and not published. */
function isOwn(url: URL, body: string): boolean {
  const segments = url.pathname.split('/').flatMap((segment) => wordsOf(segment))
  const names = [...body.matchAll(/"(\w{1,60})"\s{0,3}:/g)].map((match) => match[1]!)
  if ([...segments, ...names.flatMap(wordsOf)].some((word) => REACHES_OTHERS.test(word))) return false
  if (/"(?:public|published|shared)"\s{0,3}:\s{0,3}true/.test(body)) return false
  const saysSo =
    /"(?:draft|is_?draft|private|is_?private)"\s{0,3}:\s{0,3}true|"(?:status|state|visibility)"\s{0,3}:\s{0,3}"(?:draft|private)"/i
  return saysSo.test(body) || segments.some((word) => OWN_FOLDERS.test(word))
}

function placeOf(url: URL): string {
  return url.origin + url.pathname.replace(/\/+$/, '')
}
