import type { FastPaths } from '../values/index.ts'
import { countCall, noteCall } from './call-profile.ts'
import { learnHeaders } from './header-row.ts'
import { learnBody } from './known-body.ts'

/** All fast paths. Without them the engine is slower, and stores the same. */
export const FAST_PATHS: FastPaths = { learnBody, learnHeaders, countCall, noteCall }
