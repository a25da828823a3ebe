import { largeInputCases } from './large-input-cases.ts'

largeInputCases(10)
largeInputCases(100)
