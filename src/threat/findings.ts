/*
 * For the thread that writes what detection found: without filters, patterns and lists.
 */
export { unpackFindings } from './detection/finding.ts'
export type { DetectedMessage } from './detection/write-findings.ts'
export { writeFindings } from './detection/write-findings.ts'
export type { NewEvent } from './records/new-event.ts'
export { WindowRoom } from './windows/window-room.ts'
