export { FlowError } from './flow-error.ts'
export { flowLogin } from './flow-login.ts'
export type { NewFlow } from './flow-records.ts'
export {
  claimFlow,
  createFlow,
  endFlow,
  findFlow,
  keepFlow,
  keepPicture,
  latestFlow,
  openFlowResult,
  picturesOf,
  releaseFlow,
  removeOldFlows,
} from './flow-records.ts'
export { parseRecording, recordingUrls, typedCredentials } from './parse-recording.ts'
export type { FlowStage } from './play-flow.ts'
export { playFlow } from './play-flow.ts'
export type { PlayedLogin } from './recorded-login.ts'
