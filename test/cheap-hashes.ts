import { setHashCost } from '../src/access/hash-cost.ts'

/** Before every file: sign-up and sign-in within the process of a test cost a hundredth of what the product takes. */
setHashCost({ logN: 8, r: 8, p: 1 })
