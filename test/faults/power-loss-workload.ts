/** Every so many commits one has many rows. */
export const LARGE_EVERY = 20
export const LARGE_ROWS = 200

/** A checkpoint follows the tenth commit, and then every so many. */
export const CHECKPOINT_EVERY = 200
export const FIRST_CHECKPOINT = 10
