export { writeLatencies } from './fold-durations.ts'
export { type MessageHash, packHashes, unpackHashes } from './packed-hashes.ts'
export {
  documentation,
  forgetOldAttacks,
  noteRiskChanges,
  rescoreEndpoints,
  scoreChanges,
} from './rescore.ts'
export { foldTally, Tally, writeTallies } from './tallies.ts'
export { UnflushedFacts } from './unflushed-facts.ts'
export { type EndpointChange, insertEndpoints, updateEndpoints } from './write-endpoints.ts'
export {
  insertHashes,
  type Probe,
  type SampleWrite,
  writeDetails,
  writeFacts,
  writeProbes,
  writeSamples,
} from './write-facts.ts'
export { Writer } from './writer.ts'
