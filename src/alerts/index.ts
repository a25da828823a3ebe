export type {
  AlertCounts,
  AlertEvent,
  AlertFacts,
  AlertIssue,
  AlertThreat,
  NewIssues,
  NewThreats,
  RunFinished,
} from './alert.ts'
export { alertEvents, maxAlertIssues, severityOrder } from './alert.ts'
export type { ChannelKind, ChannelSecrets } from './channel.ts'
export { channelKind, channelKinds } from './channel-kinds.ts'
export type { ChannelView, NewChannel, OpenChannel } from './channel-store.ts'
export { addChannel, changeChannel, deleteChannel, findChannel, listChannels } from './channel-store.ts'
export { checkAlertUrl } from './check-alert-url.ts'
export type { IssuePorts, TicketIssue } from './deliver.ts'
export type { Mail } from './mailer.ts'
export { Mailer } from './mailer.ts'
export type { NotifierDeps, TestOutcome } from './notifier.ts'
export { Notifier } from './notifier.ts'
export type { MessageView } from './outbox.ts'
export { listMessages } from './outbox.ts'
export type { OpenTracker } from './tracker-store.ts'
export { deleteTracker, listTrackers, saveTracker } from './tracker-store.ts'
export { trackerOf, trackerOfProject, trackers } from './trackers/index.ts'
export type { TicketTracker, TrackerAccess } from './trackers/tracker.ts'
