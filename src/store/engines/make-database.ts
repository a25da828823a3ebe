import { PGlite } from '@electric-sql/pglite'

/*
 * Program that makes the folder of a new embedded database, named by its argument, and ends. Making one takes some
 * hundred megabytes that a long-lived process would keep.
 */
const database = await PGlite.create({ dataDir: process.argv[2]! })
await database.close()
