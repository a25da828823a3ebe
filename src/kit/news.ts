/** What a committed transaction of any process may have changed. */
export const newsTopics = [
  'alerts',
  'blocks',
  'crawls',
  'filters',
  'logins',
  'pages',
  'paths',
  'reports',
  'risks',
  'runs',
  'settings',
] as const
export type NewsTopic = (typeof newsTopics)[number]

/** Tells what other processes and threads committed, so that nobody has to poll for it while it works. */
export interface News {
  /** Time for which nobody needs to poll, in milliseconds; 0 while changes may be missed. */
  readonly quietMs: number
  /**
   * Calls `heard` after each change, and after every gap in which changes may have been missed.
   *
   * @returns ends that
   */
  on(topics: readonly NewsTopic[], heard: () => void): () => void
}
