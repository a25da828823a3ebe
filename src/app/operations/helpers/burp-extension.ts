import type { Updateable } from 'kysely'
import type { BurpExtensionsTable } from '../../../store/index.ts'
import type { App } from '../../handler.ts'

/** Newest version of the Burp extension that this interface is made for. */
export const latestBurpVersion = 5

/** Notes something about the extension of one user, whose row appears with the first note. */
export async function noteBurpExtension(
  app: App,
  userId: number,
  note: Updateable<Omit<BurpExtensionsTable, 'user_id'>>,
): Promise<void> {
  await app.store.db
    .insertInto('burp_extensions')
    .values({ ...note, user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(note))
    .execute()
}
