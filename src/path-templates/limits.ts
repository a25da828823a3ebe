/** Bounds of one trie. At every one of them evidence is thinned out, never the endpoints reported wrongly in silence. */
export interface TrieLimits {
  /** Nodes of the template tree and of the evidence it is judged from. */
  maxNodes: number
  /** Retained observations (distinct method and path). */
  maxObservations: number
  /** Retained observations of one endpoint once its template is settled. */
  maxPerEndpoint: number
  /** Undecided literal children of one node; beyond, the least word-like are folded. */
  maxLiteralChildren: number
  /** Key names remembered of one observation, the ones with the smallest hash. */
  maxKeys: number
}

export const DEFAULT_LIMITS: TrieLimits = {
  maxNodes: 50_000,
  maxObservations: 20_000,
  maxPerEndpoint: 64,
  maxLiteralChildren: 256,
  maxKeys: 64,
}
