// The traffic of the demo is recorded by the same client.
export { type ObservedMessage, type RecordedAnswer, RecordingClient } from '../src/demo/index.ts'
