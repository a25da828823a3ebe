import type { IssueSeverity } from '../../store/index.ts'

/** Colours of the report. Text on white reaches a contrast of 4.5 (WCAG 2.2, 1.4.3). */
export const colors = {
  ink: '#1b2330',
  muted: '#5b6472',
  rule: '#d5dae1',
  panel: '#f4f6f8',
  accent: '#0b5c8f',
  band: '#12263a',
  good: '#2b8a3e',
  bad: '#b42318',
  unknown: '#8a94a3',
  white: '#ffffff',
} as const

/** Colour of a severity; white text is readable on each. */
export const severityColors: Readonly<Record<IssueSeverity, string>> = {
  CRITICAL: '#7a1233',
  HIGH: '#c0271d',
  MEDIUM: '#b35900',
  LOW: '#1f6fad',
}

/** A way to write text. */
export interface TextStyle {
  readonly face: 'regular' | 'bold' | 'mono'
  /** Points. */
  readonly size: number
  readonly color: string
  /** Height of a line as a multiple of the size. */
  readonly leading: number
}

function style(face: TextStyle['face'], size: number, color: string, leading = 1.4): TextStyle {
  return { face, size, color, leading }
}

/** Every way in which the report writes text. */
export const styles = {
  body: style('regular', 9.5, colors.ink, 1.45),
  strong: style('bold', 9.5, colors.ink, 1.45),
  small: style('regular', 8, colors.muted),
  label: style('bold', 7.5, colors.muted),
  cell: style('regular', 8.5, colors.ink),
  cellStrong: style('bold', 8.5, colors.ink),
  cellMono: style('mono', 7.5, colors.ink, 1.45),
  code: style('mono', 7.5, colors.ink, 1.45),
  link: style('regular', 8.5, colors.accent),
  chapter: style('bold', 20, colors.ink, 1.25),
  section: style('bold', 13, colors.ink, 1.3),
  heading: style('bold', 10, colors.accent, 1.4),
  coverTitle: style('bold', 30, colors.white, 1.2),
  coverSubject: style('regular', 13, '#d7e3ee', 1.4),
  figure: style('bold', 22, colors.ink, 1.2),
} as const

/** A4 in points, and its margins. */
export const page = { width: 595.28, height: 841.89, left: 54, right: 54, top: 56, bottom: 60 } as const

/** Width between the margins. */
export const contentWidth = page.width - page.left - page.right
