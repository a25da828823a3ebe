/** Classes of work; each has its own yield. */
export type WorkKind =
  /** Load a URL that was not visited. */
  | 'load'
  /** Ask for an endpoint that was only read in a script. */
  | 'probe'
  /** Fill forms and act on elements of a page. */
  | 'explore'

export const WORK_KINDS: readonly WorkKind[] = ['load', 'explore', 'probe']

/** A piece of work. Everything another process needs to do it is in it. */
export interface WorkItem {
  readonly kind: WorkKind
  /** Unique within the crawl: an item whose key was ever added is not added again. At most 2,100 characters. */
  readonly key: string
  /** Cluster (location key) for fair shares. */
  readonly location: string
  /** Higher is sooner; equal ones in order of arrival. */
  readonly priority: number
  /** JSON text, at most 64 KiB. */
  readonly payload: string
}

/** Work in hand: done, failed or put back before the lease ends, or somebody else gets it. */
export interface LeasedItem extends WorkItem {
  readonly id: string
  /** Times it was taken before. */
  readonly attempts: number
}

/** What is left to do. All of a crawl's progress is in it, so that another process may go on. */
export interface Frontier {
  /** Adds what was never there. @returns how many were new */
  add(items: readonly WorkItem[]): Promise<number>
  /** Takes the best free item of this kind, with a lease of 60 seconds; null when there is none. */
  take(kind: WorkKind): Promise<LeasedItem | null>
  /** Begins the lease again. */
  renew(id: string): Promise<void>
  done(id: string): Promise<void>
  /** Frees it with what is left of it and another priority. */
  putBack(id: string, change: { readonly priority: number; readonly payload: string }): Promise<void>
  /** Frees it after a failure; the second failure ends it, with the reason kept. @returns whether it will be tried again */
  fail(id: string, reason: string): Promise<boolean>
  /** Items that wait, by kind, and those leased to anybody. */
  counts(): Promise<FrontierCounts>
}

/** How much is left. */
export interface FrontierCounts {
  readonly waiting: Readonly<Record<WorkKind, number>>
  readonly leased: number
  /** Helpers that may still add something: they said nothing of being idle. */
  readonly helpers: number
}
