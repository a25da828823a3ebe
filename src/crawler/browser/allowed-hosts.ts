/** Further hosts that the operator allows (setting allowedTargets), as a browser needs them. */
interface AllowedHosts {
  /** One URL for each host and address that is named in full. */
  readonly urls: readonly URL[]
  /** Endings of names (`*.example`), which cannot be looked up beforehand. */
  readonly endings: readonly string[]
}

/** Reads the hosts among the entries of the setting; ranges of addresses name no host. */
export function allowedHosts(allowed: readonly string[]): AllowedHosts {
  const hosts = allowed.filter((entry) => !entry.includes('/'))
  return {
    urls: hosts.flatMap((entry) => {
      const text = `https://${entry}`
      return entry.startsWith('*.') || !URL.canParse(text) ? [] : [new URL(text)]
    }),
    endings: hosts.filter((entry) => entry.startsWith('*.')),
  }
}
