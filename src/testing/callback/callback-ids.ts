import type { CallbackPort } from '../attempts/environment.ts'
import { CallbackRegister } from './callback-register.ts'
import { type CallbackShelf, SharedCallbacks } from './shared-callbacks.ts'

/** Gives out ids for a listener of another thread or process, which knows them by the shelf that both share. */
export class CallbackIds implements CallbackPort {
  readonly #register = new CallbackRegister()
  readonly #shared: SharedCallbacks
  readonly #url: string

  /** @param url what targets are asked to call, without an id */
  constructor(url: string, shelf: CallbackShelf) {
    this.#url = url
    this.#shared = new SharedCallbacks(shelf)
  }

  register(redirectUrl?: string): { readonly id: string; readonly url: string } {
    const isUrl = redirectUrl !== undefined && URL.canParse(redirectUrl)
    const made = this.#register.add(isUrl ? new URL(redirectUrl).href : null)
    this.#shared.add(made)
    return { id: made.id, url: `${this.#url}/${made.id}` }
  }

  hits(id: string): number {
    return this.#shared.count(id)
  }

  settled(): Promise<void> | null {
    return this.#shared.settled()
  }

  close(): Promise<void> {
    return this.#shared.close()
  }
}
