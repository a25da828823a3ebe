import type { Literal } from '../template/template.ts'
import type { JsonTree } from './json-tree.ts'
import { isScalar, readTree, scalarText, treeOf, writeTree } from './json-tree.ts'
import type { RequestDraft } from './request-draft.ts'

/** Replaces the text of the body. */
export function setBody(draft: RequestDraft, text: string): void {
  draft.body = { ...draft.body, text }
}

/**
 * Puts a value under every leaf of a key, compared without case: the leaf goes, and the key as written here comes last
 * in its object. Lists of scalars give way to lists only, empty lists to anything; objects and lists of objects are
 * searched, not replaced. False when nothing was replaced.
 *
 * @param change given the present value
 */
export function replaceLeaves(draft: RequestDraft, key: string, change: (old: JsonTree) => Literal): boolean {
  const wanted = key.toLowerCase()
  return editTree(draft, (root) => {
    let isChanged = false
    const visit = (tree: JsonTree): void => {
      if (Array.isArray(tree)) for (const item of tree) visit(item)
      if (!(tree instanceof Map)) return
      for (const [name, old] of [...tree]) {
        const fresh = name.toLowerCase() === wanted ? replacementFor(old, change) : undefined
        if (fresh === undefined) visit(old)
        else {
          tree.delete(name)
          tree.set(key, fresh)
          isChanged = true
        }
      }
    }
    visit(root)
    return isChanged ? root : undefined
  })
}

/**
 * Replaces texts of the body wherever they are in its tree; false when nothing was replaced.
 *
 * @param change null for a text that stays
 */
export function replaceTexts(draft: RequestDraft, change: (old: string) => string | null): boolean {
  return editTree(draft, (root) => {
    let isChanged = false
    const changed = (tree: JsonTree): JsonTree => {
      if (Array.isArray(tree)) return tree.map(changed)
      if (tree instanceof Map) return new Map([...tree].map(([name, value]) => [name, changed(value)]))
      const fresh = typeof tree === 'string' ? change(tree) : null
      if (fresh === null) return tree
      isChanged = true
      return fresh
    }
    const edited = changed(root)
    return isChanged ? edited : undefined
  })
}

function replacementFor(old: JsonTree, change: (old: JsonTree) => Literal): JsonTree | undefined {
  if (old instanceof Map) return undefined
  const fresh = insertable(change(old))
  if (!Array.isArray(old) || old.length === 0) return fresh
  return old.every(isScalar) && Array.isArray(fresh) ? fresh : undefined
}

/** A text that is a JSON object goes in as the object. */
function insertable(value: Literal): JsonTree {
  if (typeof value === 'string' && value.trimStart().startsWith('{')) {
    const tree = readTree(value)
    if (tree instanceof Map) return tree
  }
  return treeOf(value)
}

/** Removes the first entry of a key, depth first and compared without case, whatever it holds; false when there is none. */
export function removeEntry(draft: RequestDraft, key: string): boolean {
  const wanted = key.toLowerCase()
  const remove = (tree: JsonTree): boolean => {
    if (Array.isArray(tree)) return tree.some(remove)
    if (!(tree instanceof Map)) return false
    for (const [name, value] of tree) {
      if (name.toLowerCase() === wanted) return tree.delete(name)
      if (remove(value)) return true
    }
    return false
  }
  return editTree(draft, (root) => (remove(root) ? root : undefined))
}

/** Longest list that a path such as `a[99]` may call for. */
const MAX_INDEX = 1000
const MAX_STEPS = 64

/**
 * Sets the value at a path such as `a.b[2].c` and makes what is missing on the way; in the first element when the body
 * is a list. A body that is not JSON becomes an object with the path as its only key. False when the path is malformed or
 * leads through a scalar.
 */
export function setAtPath(draft: RequestDraft, path: string, value: Literal): boolean {
  const root = readTree(draft.body.text)
  if (!(root instanceof Map) && !Array.isArray(root)) {
    setBody(draft, writeTree(new Map([[path, treeOf(value)]])))
    return true
  }
  const steps = pathSteps(path)
  if (steps === null) return false
  if (Array.isArray(root) && root.length === 0) root.push(new Map())
  const target = Array.isArray(root) ? root[0]! : root
  if (!setIn(target, steps, treeOf(value))) return false
  setBody(draft, writeTree(root))
  return true
}

function setIn(start: JsonTree, steps: readonly (string | number)[], value: JsonTree): boolean {
  let at: JsonTree = start
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1
    const missing = (): JsonTree => (typeof steps[index + 1] === 'number' ? [] : new Map())
    if (typeof step === 'number') {
      if (!Array.isArray(at)) return false
      while (at.length <= step) at.push(null)
      if (isLast) at[step] = value
      else at[step] ??= missing()
      at = at[step]!
    } else {
      if (!(at instanceof Map)) return false
      if (isLast) at.set(step, value)
      else if ((at.get(step) ?? null) === null) at.set(step, missing())
      at = at.get(step)!
    }
  }
  return true
}

/** `a.b[2].c` → a, b, 2, c; null when it is not a path. */
function pathSteps(path: string): (string | number)[] | null {
  const steps: (string | number)[] = []
  for (const part of path.split('.')) {
    const open = part.indexOf('[')
    const name = open < 0 ? part : part.slice(0, open)
    if (name !== '' || steps.length === 0) steps.push(name)
    for (const [, index] of (open < 0 ? '' : part.slice(open)).matchAll(/\[(\d{1,6})\]/g)) {
      if (Number(index) > MAX_INDEX) return null
      steps.push(Number(index))
    }
  }
  return steps.length > 0 && steps.length <= MAX_STEPS ? steps : null
}

/** Values of every leaf of a key, compared without case, as text. */
export function leafTexts(draft: RequestDraft, key: string): string[] {
  const wanted = key.toLowerCase()
  const texts: string[] = []
  const visit = (tree: JsonTree): void => {
    if (Array.isArray(tree)) for (const item of tree) visit(item)
    if (!(tree instanceof Map)) return
    for (const [name, value] of tree) {
      if (name.toLowerCase() === wanted && isScalar(value)) texts.push(scalarText(value))
      visit(value)
    }
  }
  const root = readTree(draft.body.text)
  if (root !== undefined) visit(root)
  return texts
}

/** Runs an edit on the JSON of the body; undefined leaves the body to the letter. False when nothing changed. */
function editTree(draft: RequestDraft, edit: (root: JsonTree) => JsonTree | undefined): boolean {
  const root = readTree(draft.body.text)
  if (root === undefined || isScalar(root)) return false
  const edited = edit(root)
  if (edited === undefined) return false
  setBody(draft, writeTree(edited))
  return true
}
