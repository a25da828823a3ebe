import { expect, test } from 'vitest'
import { recipes } from './recipes.ts'

test('application code that is pasted reads the key from its environment', () => {
  for (const source of ['node', 'python', 'go']) {
    const steps = recipes[source]?.steps('https://vigil.test', 'secret-key') ?? []
    const withKey = steps.flatMap(({ paste }) => (paste?.[1].includes('secret-key') ? [paste[1]] : []))
    expect(withKey).toEqual(['export VIGIL_KEY=secret-key'])
  }
})
