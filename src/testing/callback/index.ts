export type { CallbackSettings } from './callback-listener.ts'
export { CallbackListener } from './callback-listener.ts'
export type { CallbackHit } from './callback-register.ts'
export { storedCallbacks } from './stored-callbacks.ts'
