/** Values of one parameter with the callers that sent each. */
export type Carriers = Map<string, Set<string>>

/** Another value of the same parameter that only other callers sent. */
export function otherOf(carriers: Carriers, own: string, owner: string): string | null {
  for (const [value, callers] of carriers) if (value !== own && !callers.has(owner)) return value
  return null
}

/** Whether a value was sent by another user than its owner; who oversees the objects of several users shares none. */
export function isShared(carriers: Carriers, value: string, owner: string): boolean {
  return [...(carriers.get(value) ?? [])].some((other) => other !== owner && !isOverseer(other, carriers))
}

/** Values of a directory that several users asked for. */
const SHARED_OF_DIRECTORY = 3

/**
 * Whether most values of a parameter were asked for by several users, as in a directory of profiles: that only one asked
 * for another value does not make it private.
 */
export function isDirectory(carriers: Carriers): boolean {
  const isAskedBySeveral = (callers: ReadonlySet<string>): boolean =>
    [...callers].filter((caller) => !isOverseer(caller, carriers)).length > 1
  const shared = [...carriers.values()].filter(isAskedBySeveral).length
  return shared >= SHARED_OF_DIRECTORY && shared * 2 > carriers.size
}

/** Whether a caller was recorded with the values of several others who share none among themselves. */
function isOverseer(caller: string, carriers: Carriers): boolean {
  const overseen = new Set<string>()
  for (const callers of carriers.values()) {
    if (!callers.has(caller)) continue
    const others = [...callers].filter((other) => other !== caller)
    if (others.length > 1) return false
    for (const other of others) overseen.add(other)
  }
  return overseen.size > 1
}

/** Whether the values of a parameter belong to different owners, each to one. */
export function isPartitioned(carriers: Carriers): boolean {
  const owners = new Set<string>()
  for (const callers of carriers.values()) {
    const own = [...callers].filter((caller) => !isOverseer(caller, carriers))
    if (own.length > 1) return false
    for (const caller of own) owners.add(caller)
  }
  return owners.size > 1
}

export function ownersOf(carriers: Carriers): Set<string> {
  return new Set([...carriers.values()].flatMap((callers) => [...callers]))
}

export function addTo(all: Map<string, Set<string>>, key: string, item: string): void {
  const items = all.get(key)
  if (items === undefined) all.set(key, new Set([item]))
  else items.add(item)
}
