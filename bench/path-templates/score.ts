/** Figures of one run; shares in [0, 1]. */
export interface Score {
  truths: number
  predicted: number
  matched: number
  exactGroups: number
  mixedGroups: number
}

/** What was compared for one distinct method and URL. */
export interface Labelled {
  method: string
  path: string
  truth: string
  predicted: string
}

/** Counts matches of {method, template} and of the groups of URLs that they make. */
export function scoreOf(rows: readonly Labelled[]): Score {
  const byTruth = new Map<string, Set<string>>()
  const byPredicted = new Map<string, Set<string>>()
  const truthSizes = new Map<string, number>()
  const predictedSizes = new Map<string, number>()
  for (const row of rows) {
    const truth = `${row.method} ${row.truth}`
    const predicted = `${row.method} ${row.predicted}`
    add(byTruth, truth, predicted)
    add(byPredicted, predicted, truth)
    truthSizes.set(truth, (truthSizes.get(truth) ?? 0) + 1)
    predictedSizes.set(predicted, (predictedSizes.get(predicted) ?? 0) + 1)
  }
  let matched = 0
  let mixedGroups = 0
  for (const [predicted, truths] of byPredicted) {
    if (byTruth.has(predicted)) matched++
    if (truths.size > 1) mixedGroups++
  }
  let exactGroups = 0
  for (const [truth, groups] of byTruth) {
    const [only] = groups
    if (groups.size === 1 && predictedSizes.get(only!) === truthSizes.get(truth)) exactGroups++
  }
  return { truths: byTruth.size, predicted: byPredicted.size, matched, exactGroups, mixedGroups }
}

export function addScores(scores: readonly Score[]): Score {
  const sum: Score = { truths: 0, predicted: 0, matched: 0, exactGroups: 0, mixedGroups: 0 }
  for (const score of scores) {
    sum.truths += score.truths
    sum.predicted += score.predicted
    sum.matched += score.matched
    sum.exactGroups += score.exactGroups
    sum.mixedGroups += score.mixedGroups
  }
  return sum
}

export const precision = (s: Score): number => (s.predicted === 0 ? 1 : s.matched / s.predicted)
export const recall = (s: Score): number => (s.truths === 0 ? 1 : s.matched / s.truths)
export const f1 = (s: Score): number => {
  const sum = s.predicted + s.truths
  return sum === 0 ? 1 : (2 * s.matched) / sum
}
export const groupAccuracy = (s: Score): number => (s.truths === 0 ? 1 : s.exactGroups / s.truths)
export const overMerge = (s: Score): number => (s.predicted === 0 ? 0 : s.mixedGroups / s.predicted)
export const underMerge = (s: Score): number => (s.truths === 0 ? 1 : s.predicted / s.truths)

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key)
  if (set) set.add(value)
  else map.set(key, new Set([value]))
}
