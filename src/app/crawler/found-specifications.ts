import { createHash } from 'node:crypto'
import { parseSampleMessage } from '../../http/index.ts'
import { Failure, type Log, nowSeconds, reportError } from '../../kit/index.ts'
import type { Imports } from '../imports.ts'

/** Signs of a description of an API (OpenAPI 3, Swagger 2) near its beginning, in JSON or YAML. */
const DESCRIPTION =
  /"(?:openapi|swagger)"\s{0,5}:\s{0,5}"[23]|^['"]?(?:openapi|swagger)['"]?\s{0,5}:\s{0,5}['"]?[23]/m
const HEAD = 20_000
/** Descriptions whose text is known, of all crawls; the same one is met on many pages. */
const MOST_KNOWN = 1_000

/** What crawls came across that describes an API: its operations are documented in the collection of the crawl. */
export class FoundSpecifications {
  readonly #imports: Imports
  readonly #log: Log
  readonly #known = new Set<string>()

  constructor(imports: Imports, log: Log) {
    this.#imports = imports
    this.#log = log
  }

  /**
   * Looks through captured messages; what is found is taken in the background.
   *
   * @param messages JSON texts of sample messages
   * @param login who the import is noted for
   */
  search(collectionId: number, messages: readonly string[], login: string): void {
    for (const message of messages) {
      if (!/openapi|swagger/.test(message)) continue
      const found = descriptionIn(message)
      if (found === null) continue
      const digest = createHash('sha256').update(`${collectionId} ${found.text}`).digest('base64')
      if (this.#known.has(digest) || this.#known.size >= MOST_KNOWN) continue
      this.#known.add(digest)
      this.#imports.takeFound({ ...found, collectionId, login }).catch((error: unknown) => {
        // What cannot be read is not a description after all; a full line has room again at the next sight.
        if (!(error instanceof Failure)) this.#logError(error)
        else if (error.code === 'OVERLOADED') this.#known.delete(digest)
      })
    }
  }

  #logError(error: unknown): void {
    this.#log.warn('part.failed', { part: 'specifications of crawls', error: reportError(error) })
  }
}

/** The description that a message answers with, and its URL; null when it is none. */
function descriptionIn(message: string): { readonly text: string; readonly url: string } | null {
  try {
    const { request, response } = parseSampleMessage(message, { at: nowSeconds(), source: 'CRAWLER' })
    const isText = response.status === 200 && response.bodyIsBase64 !== true
    if (!isText || !DESCRIPTION.test(response.body.slice(0, HEAD)) || !URL.canParse(request.target))
      return null
    return { text: response.body, url: request.target }
  } catch (error) {
    // The inventory has told what is wrong with it.
    if (!(error instanceof Failure)) throw error
    return null
  }
}
