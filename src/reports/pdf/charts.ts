import type { CategoryCounts, OutcomeCount, SeverityCounts, TrendPoint } from '../report-content.ts'
import { severityOrder, totalOf } from '../report-content.ts'
import type { PageFlow } from './page-flow.ts'
import { colors, contentWidth, page, severityColors, styles } from './theme.ts'

const TONES: Readonly<Record<OutcomeCount['tone'], string>> = {
  bad: colors.bad,
  good: colors.good,
  unknown: colors.unknown,
}

/** Four figures side by side: findings by severity. */
export function severityFigures(flow: PageFlow, counts: SeverityCounts): void {
  const gap = 10
  const width = (contentWidth - 3 * gap) / 4
  const height = 54
  flow.need(height + 10)
  severityOrder.forEach((severity, index) => {
    const x = page.left + index * (width + gap)
    flow.document.roundedRect(x, flow.y, width, height, 4).fill(colors.panel)
    flow.document.roundedRect(x, flow.y, 4, height, 2).fill(severityColors[severity])
    flow.label(String(counts[severity]), styles.figure, x + 14, flow.y + 5)
    flow.label(severity, { ...styles.label, color: severityColors[severity] }, x + 14, flow.y + 35)
  })
  flow.y += height
  flow.space(12)
}

/** One bar a category, the parts by severity; the longest reaches the edge. */
export function categoryBars(flow: PageFlow, categories: readonly CategoryCounts[]): void {
  const labelWidth = 265
  const most = Math.max(1, ...categories.map(({ counts }) => totalOf(counts)))
  const room = contentWidth - labelWidth - 34
  for (const { name, counts } of categories) {
    flow.need(18)
    flow.label(flow.fitted(name, styles.cell, labelWidth - 8), styles.cell, page.left, flow.y + 1)
    const end = parts(flow, counts, page.left + labelWidth, flow.y + 2, room / most, 11)
    flow.label(String(totalOf(counts)), styles.cellStrong, end + 6, flow.y + 1)
    flow.y += 17
  }
  flow.space(4)
  severityLegend(flow)
}

function parts(
  flow: PageFlow,
  counts: SeverityCounts,
  x: number,
  y: number,
  unit: number,
  height: number,
): number {
  let at = x
  for (const severity of severityOrder) {
    const width = counts[severity] * unit
    if (width > 0) flow.document.rect(at, y, width, height).fill(severityColors[severity])
    at += width
  }
  return at
}

function severityLegend(flow: PageFlow): void {
  flow.need(18)
  let x = page.left
  for (const severity of severityOrder) {
    flow.document.rect(x, flow.y + 3, 7, 7).fill(severityColors[severity])
    const word = severity.charAt(0) + severity.slice(1).toLowerCase()
    flow.label(word, styles.small, x + 11, flow.y)
    x += flow.width(word, styles.small) + 28
  }
  flow.y += 18
}

/** One bar from edge to edge, divided by what became of the tests, with a legend of numbers and shares. */
export function outcomeBar(flow: PageFlow, outcomes: readonly OutcomeCount[]): void {
  const total = outcomes.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return
  const shades = outcomes.map(({ tone }, index) => ({
    color: TONES[tone],
    // Parts of one tone are distinguished by their strength.
    opacity: Math.max(0.35, 1 - 0.22 * outcomes.slice(0, index).filter((one) => one.tone === tone).length),
  }))
  flow.need(24 + outcomes.length * 14)
  let x = page.left
  outcomes.forEach(({ count }, index) => {
    const width = (count / total) * contentWidth
    const { color, opacity } = shades[index]!
    if (width > 0) flow.document.rect(x, flow.y, width, 14).fillOpacity(opacity).fill(color)
    x += width
  })
  flow.document.fillOpacity(1)
  flow.y += 21
  outcomes.forEach(({ label, count }, index) => {
    const { color, opacity } = shades[index]!
    flow.document
      .rect(page.left, flow.y + 3, 7, 7)
      .fillOpacity(opacity)
      .fill(color)
      .fillOpacity(1)
    flow.label(label, styles.cell, page.left + 13, flow.y)
    flow.label(String(count), styles.cellStrong, 0, flow.y, page.left + 330)
    flow.label(percent(count, total), styles.small, 0, flow.y, page.left + 375)
    flow.y += 14
  })
  flow.space(8)
}

function percent(count: number, total: number): string {
  const share = (count / total) * 100
  return share > 0 && share < 1 ? '< 1 %' : `${Math.round(share)} %`
}

/** One column a point in time, the parts by severity, with a scale of whole numbers. */
export function trendColumns(flow: PageFlow, points: readonly TrendPoint[]): void {
  const height = 90
  flow.need(height + 50)
  const most = niceTop(Math.max(1, ...points.map(({ counts }) => totalOf(counts))))
  const axis = 30
  const room = contentWidth - axis
  const slot = room / points.length
  const width = Math.min(34, slot * 0.6)
  const bottom = flow.y + height
  for (const value of [0, most / 2, most].filter(Number.isInteger)) {
    const y = bottom - (value / most) * height
    flow.document
      .moveTo(page.left + axis, y)
      .lineTo(page.left + contentWidth, y)
      .lineWidth(0.4)
      .strokeColor(colors.rule)
      .stroke()
    flow.label(String(value), styles.small, 0, y - 6, page.left + axis - 6)
  }
  points.forEach(({ label, counts }, index) => {
    const x = page.left + axis + index * slot + (slot - width) / 2
    let y = bottom
    for (const severity of [...severityOrder].reverse()) {
      const part = (counts[severity] / most) * height
      if (part > 0) flow.document.rect(x, y - part, width, part).fill(severityColors[severity])
      y -= part
    }
    const total = String(totalOf(counts))
    flow.label(total, styles.label, x + (width - flow.width(total, styles.label)) / 2, y - 12)
    const shown = flow.fitted(label, styles.small, slot)
    flow.label(shown, styles.small, x + (width - flow.width(shown, styles.small)) / 2, bottom + 4)
  })
  flow.y = bottom + 22
  severityLegend(flow)
}

/** The next round number that two halves divide. */
function niceTop(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value))
  const steps = [1, 2, 4, 6, 8, 10].map((step) => step * unit)
  return Math.max(2, steps.find((step) => step >= value) ?? value)
}
