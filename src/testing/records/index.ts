export type { AuthMechanismView, AuthParameter, LoginFlow, NewAuthMechanism } from './auth-mechanism.ts'
export { keepToken, keptToken } from './auth-mechanism.ts'
export type { RunChange } from './change-run.ts'
export { changeRun, runOfConfiguration } from './change-run.ts'
export type { KeptTemplate } from './change-templates.ts'
export { keptTemplates, removeTemplates, switchTemplate } from './change-templates.ts'
export type { FindingChange, FindingComparison } from './compare-executions.ts'
export { compareExecutions } from './compare-executions.ts'
export type { AnswerOverview } from './count-answers.ts'
export { answerOverviews } from './count-answers.ts'
export type { CoverageCell, CoverageQuestion, CoverageRow } from './coverage-matrix.ts'
export { coverageDays, coverageRows } from './coverage-matrix.ts'
export type { NewRun } from './create-run.ts'
export { createRun } from './create-run.ts'
export { deleteExecutions, deleteRuns } from './delete-runs.ts'
export type { Evidence, KeptEvidence } from './evidence.ts'
export { keepEvidence, MAX_EVIDENCE_BYTES, shownAttempt } from './evidence.ts'
export type {
  AnswerCounts,
  ResultDetail,
  ResultFilter,
  ResultMode,
  ResultSort,
  ResultView,
} from './list-results.ts'
export {
  collectionOfResult,
  countAnswers,
  countSelections,
  findResult,
  findResultOfIssue,
  findResults,
  listResults,
} from './list-results.ts'
export type { ActiveRuns, RunFilter, RunSort } from './list-runs.ts'
export {
  activeRuns,
  countRuns,
  findExecution,
  findRun,
  latestExecutions,
  listExecutions,
  listRuns,
  runMarks,
} from './list-runs.ts'
export { maskCredential, unmaskCredential } from './mask-credential.ts'
export { maskRequestChanges, secretsOfChanges, unmaskRequestChanges } from './mask-request-changes.ts'
export { maskText, SecretMask } from './mask-secrets.ts'
export type { ModuleView } from './modules.ts'
export { keepModule, listModules } from './modules.ts'
export { previewResult } from './preview-result.ts'
export type {
  RecordedResult,
  RecordOptions,
  RecordOutcome,
  ResultFollower,
  ResultIssue,
} from './record-results.ts'
export { recordResults } from './record-results.ts'
export { recountExecution } from './recount.ts'
export type { Repetition } from './repeat-run.ts'
export { repeatResults, repeatRun } from './repeat-run.ts'
export { errorsOf, selectionOf } from './result-selection.ts'
export { ciFacts, runsByWeek } from './run-facts.ts'
export type { RunLogLine, RunLogQuestion } from './run-log.ts'
export { noteProblem, readRunLog } from './run-log.ts'
export type { HostProgress } from './run-progress.ts'
export { hostProgress, plannedChecks, resultCells, resultKeys } from './run-progress.ts'
export type { ExecutionView, RunConfiguration, RunType, RunView } from './run-view.ts'
export type { DueWrite, WritingExecution } from './run-writes.ts'
export {
  forgetWrite,
  postponeWrite,
  releaseWrites,
  takeDueWrites,
  writeKeeper,
  writeRulesOfIssues,
} from './run-writes.ts'
export type { ActiveExecution, ClaimedShard, NewShard, ShardPairs, ShardSigns } from './shards.ts'
export {
  activeExecutions,
  claimShard,
  finishShard,
  giveBackShard,
  giveBackShards,
  keepShards,
  nextStage,
  noteLeftOut,
  storeShards,
} from './shards.ts'
export type { SkippedReason } from './skipped-reasons.ts'
export { countSkippedReasons } from './skipped-reasons.ts'
export type {
  CatalogueCategory,
  CatalogueEntry,
  NewCatalogueEntry,
  TemplateCatalogue,
} from './template-catalogue.ts'
export { keepTemplates, StoredCatalogue } from './template-catalogue.ts'
export type { NewCredential, RoleConditions, RoleCredential, TestRoleView } from './test-roles.ts'
export {
  attackerRole,
  changeRoleConditions,
  createRole,
  defaultMechanism,
  deleteRole,
  ensureAttackerRole,
  findRole,
  isDefault,
  listRoles,
  mayUseRole,
  removeCredential,
  roleGrant,
  setCredential,
  setScopeRoles,
  shareRole,
} from './test-roles.ts'
export type { TestSuite } from './test-suites.ts'
export { changeSuite, createSuite, deleteSuite, findSuites, listSuites } from './test-suites.ts'
export { testedHosts } from './tested-hosts.ts'
export type { ClaimedExecution, ExecutionEnd, RecordedPair } from './transitions.ts'
export {
  beginExecution,
  claimExecution,
  endExecution,
  findClaimed,
  hasWork,
  keepExecution,
  pairsToRepeat,
  postponeRun,
  recordedPairs,
  releaseExecution,
  stopAllRuns,
  stopRun,
  takeOverExecution,
} from './transitions.ts'
