import { PGlite } from '@electric-sql/pglite'

/*
 * Program that makes the folder of a new embedded database, named by its argument, and ends. Making one takes some
 * hundred megabytes that a long-lived process would keep.
 */

// The pipe ends when anyone who started this is gone: then nobody wants the result.
process.stdin.on('end', () => process.exit(1)).resume()

const database = await PGlite.create({ dataDir: process.argv[2]! })
await database.close()
process.exit(0)
