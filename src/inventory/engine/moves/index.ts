export { decide } from './decide.ts'
export { applyMoves, evaluateTries } from './evaluate.ts'
export { explainTemplate } from './explain.ts'
export { isTemplateUrl } from './plan-moves.ts'
