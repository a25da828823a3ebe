import { expect, test } from 'vitest'
import { packWindow, unpackWindow } from './pack-window.ts'
import { emptyWindow } from './window-state.ts'

test('a counter comes out of its bytes as it went in', () => {
  const state = {
    bins: [29_916_667, 3, 1_795_000_020, 1_795_000_059, 29_916_668, 1, 1_795_000_061, 1_795_000_061],
    values: [2 ** 31 - 1, 29_916_548, 0, 29_916_668, -(2 ** 31), 29_916_668, -5, 29_916_667],
    references: [29_916_667, 29_916_668],
    firedStep: 29_916_600,
  }
  expect(unpackWindow(packWindow(state))).toEqual(state)
  expect(unpackWindow(packWindow({ ...state, firedStep: null }))).toEqual({ ...state, firedStep: null })
  expect(unpackWindow(Buffer.alloc(0))).toEqual(emptyWindow())
})
