import type { ObservedMessage, RecordingClient } from '../../test/recording-client.ts'
import type { Database, Row, Snapshot } from './snapshot.ts'

/** Who uses an application while it is recorded. The owner has what the attacker must not reach. */
export const PEOPLE = ['owner', 'attacker', 'administrator'] as const
export type Person = (typeof PEOPLE)[number]

/** A visit of one person: signs in and uses the application as its client would. */
export type Visit = (client: RecordingClient, person: Person) => Promise<void>

/** Where a start may put things. */
export interface Place {
  /** Installed programs; kept between runs. */
  readonly programs: string
  /** Data of this run; empty, and removed afterwards. */
  readonly data: string
  /** A free port of 127.0.0.1. */
  readonly port: number
}

/** An application that runs. */
export interface Running {
  readonly origin: string
  /** What must be the same after the tests as before; null when nobody can read it. */
  readonly database: Database | null
  stop(): Promise<void>
}

/** A weakness that the application's own documentation names. */
export interface Weakness {
  readonly name: string
  /** Method and path template where it shows, with any parameter names: `GET /users/{id}`; `*` for any characters. */
  readonly at: string
  /** Patterns of test ids that would be this weakness; `*` stands for any characters. */
  readonly tests: readonly string[]
}

/** What a person made of a finding after reading its evidence and the application's sources or documentation. */
export interface Judgement {
  /** Pattern of test ids. */
  readonly test: string
  /** Pattern of `METHOD path`, path parameters as `{}`. */
  readonly at: string
  readonly verdict: 'true' | 'false' | 'debatable'
  readonly why: string
}

/** How a crawl begins, and what it could reach. */
export interface CrawlRecipe {
  /** Path of the page to begin with. */
  readonly start: string
  readonly username: string
  readonly password: string
  /** Operations that the interface can ask for, as `METHOD /path/{}`, read in the sources of its front end. */
  readonly ui: readonly string[]
}

/** An application that nobody of this project wrote. */
export interface Target {
  readonly name: string
  readonly sound: boolean
  /** Language and interface, for the table. */
  readonly make: string
  /** Public source and version. */
  readonly source: string
  /** Absent: then its own instructions start it, and `--url` and `--database` name it. */
  readonly start?: (place: Place) => Promise<Running>
  /** Makes accounts and what visits need, unrecorded. */
  readonly prepare: (origin: string) => Promise<Visit>
  /** Operations of the application's own document or router. */
  readonly routes: (origin: string) => Promise<readonly string[]>
  /** Tables (`table`) and columns (`table.column`) that any use changes, such as logs and times of a last visit. */
  readonly volatile: readonly string[]
  /** Whether a row is what the application keeps of something that was deleted, and shows to nobody. */
  readonly isMarked?: (table: string, row: Row, after: Snapshot) => boolean
  /** What the application's interface tells of its data, when it keeps them in memory. */
  readonly state?: (origin: string) => Promise<Snapshot>
  /** How it is crawled as its administrator; absent without an interface of its own. */
  readonly crawl?: CrawlRecipe
  readonly weaknesses: readonly Weakness[]
  readonly judged: readonly Judgement[]
}

/** What was seen of the visits, and what the people sent to be who they are. */
export interface Recorded {
  readonly messages: readonly ObservedMessage[]
  readonly headers: Readonly<Record<Person, Readonly<Record<string, string>>>>
}
