/** Where an actor is shown. Addresses hold dots, by which a server tells files, so the name stands in the query. */
export function actorAddress(actor: string): string {
  return `/threats/actors/one?${new URLSearchParams({ actor })}`
}
