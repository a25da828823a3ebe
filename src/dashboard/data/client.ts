import { createClient } from '../../contract/browser.ts'
import { session } from '../session/use-session.ts'

/** Calls the operations of the server that this page came from, with the session's token. */
export const client = createClient({ baseUrl: '', fetch: session.fetch })
