import type { Catalogue } from '../translate.ts'
import { inventory } from './de/inventory.ts'
import { overview } from './de/overview.ts'
import { settings } from './de/settings.ts'
import { shared } from './de/shared.ts'
import { shell } from './de/shell.ts'
import { signIn } from './de/sign-in.ts'

/** The texts of the dashboard in German. */
export const de: Catalogue = { ...shared, ...shell, ...signIn, ...overview, ...settings, ...inventory }
