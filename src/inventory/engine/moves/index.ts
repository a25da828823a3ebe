export { type MoveCause, writeMoves } from './moves.ts'
export { enginePaths, withOperations } from './operation-moves.ts'
export { isSameShape, isTemplateUrl, planMoves, standingIn } from './plan-moves.ts'
