import { inventory } from '../../i18n/messages/en/inventory.ts'
import { addMessages } from '../../i18n/translate.ts'

// Columns of tables are made when their file is loaded: they import this one first.
addMessages(inventory)
