/** Where an actor is shown. IP addresses contain dots, and a path with a dot is served as a file, so the name is in the query. */
export function actorAddress(actor: string): string {
  return `/threats/actors/one?${new URLSearchParams({ actor })}`
}
