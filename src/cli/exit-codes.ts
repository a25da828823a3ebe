/** Exit codes of the program; docs/cli.md has them too. */
export const exitCodes = {
  done: 0,
  /** Something failed: what, stands on standard error. */
  failed: 1,
  /** The command line or a setting is wrong. */
  misused: 2,
  /** The data folder belongs to another running process. */
  inUse: 3,
  /** The store belongs to a newer version. */
  newerStore: 4,
  /** A scan found something at or above the severity that fails it. */
  findings: 10,
  /** A scan could not carry out one check. */
  nothingTested: 11,
  /** Anyone who started it is to start it again (EX_TEMPFAIL of sysexits). */
  again: 75,
} as const
