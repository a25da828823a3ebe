import { inventory } from './en/inventory.ts'
import { overview } from './en/overview.ts'
import { settings } from './en/settings.ts'
import { shared } from './en/shared.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'

/** The texts of the dashboard. `{names}` stand for values; one with a `{count}` has a form for one thing and one for others. */
export const en = { ...shared, ...shell, ...signIn, ...overview, ...settings, ...inventory } as const
