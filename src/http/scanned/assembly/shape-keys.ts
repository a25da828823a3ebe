/** What is kept of a key of a known body, as offsets in bytes; `body-shapes.ts` has the same as numbers of words. */

// What every value touches fits into two cache lines of 64 bytes each: keys begin at multiples of it.

/** Address of the length of its name, one byte, and the bytes of it. */
export const KEY: usize = 0
/** Address of how many children it has, and their addresses; 0: none, or others than these. */
export const KIDS: usize = 4
/** Address of the elements of a list; 0: none. */
export const ITEMS: usize = 8
export const FLAGS: usize = 12
/** Values until one is judged. */
export const TICKS: usize = 16
/** The object that was read last with this key. */
export const OBJECT: usize = 20
/** The body in which it was told as sensitive last. */
export const BODY: usize = 24
export const IS_COUNTED: usize = 28
/** A bit for each look that a text of it had; see `looks.ts`. */
export const LOOKS: usize = 32
/** How many values there were of each kind, the earliest time and the latest. */
export const COUNTS: usize = 64
export const PER_KIND: usize = 12
export const INDEX: usize = 148
/** Words of a key in all. */
export const WORDS: i32 = 48

/** Kinds of values; what follows EMPTY is always left to the caller. */
export const TEXT: u32 = 0
export const INTEGER: u32 = 1
export const FLOAT: u32 = 2
export const TRUE: u32 = 3
export const FALSE: u32 = 4
export const NULL: u32 = 5
export const EMPTY: u32 = 6
export const ESCAPED: u32 = 7
export const NUMBER: u32 = 8
/** Added to the kind of a value that looks like none before it at its key. */
export const NEW_LOOK: u32 = 16

/** Flags: a bit for each kind that is counted here, and for each whose values are sensitive. */
export const KNOWN: u32 = 1
export const SENSITIVE: u32 = 256
/** Texts are ordinary ones, so that those that look like numbers are left to the caller. */
export const ORDINARY: u32 = 65536
