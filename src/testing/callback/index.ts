export { CallbackIds } from './callback-ids.ts'
export { CallbackListener } from './callback-listener.ts'
export { storedCallbacks } from './stored-callbacks.ts'
