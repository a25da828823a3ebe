/** Words in a request body by which it may ask for something that its path does not tell. */

const SMALL_Q: u8 = 113
const LARGE_Q: u8 = 81
const SMALL_J: u8 = 106

/** True when `query`, `Query` or `jsonrpc` stands between two positions: GraphQL and JSON-RPC have them in their keys. */
export function holdsSign(start: usize, end: usize): bool {
  let at = start
  while (at < end) {
    const chunk = v128.load(at)
    let begins = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(chunk, i8x16.splat(SMALL_Q)), i8x16.eq(chunk, i8x16.splat(LARGE_Q))),
        i8x16.eq(chunk, i8x16.splat(SMALL_J)),
      ),
    )
    while (begins !== 0) {
      if (isSign(at + <usize>ctz(begins), end)) return true
      begins &= begins - 1
    }
    at += 16
  }
  return false
}

function isSign(at: usize, end: usize): bool {
  if (load<u8>(at) === SMALL_J) return at + 7 <= end && follows(at, 'jsonrpc')
  return at + 5 <= end && follows(at, 'query')
}

/** What follows the first letter of a word. */
function follows(at: usize, word: string): bool {
  for (let i = 1; i < word.length; i++) if (<i32>load<u8>(at + i) !== word.charCodeAt(i)) return false
  return true
}
