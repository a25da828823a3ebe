import { useComputedColorScheme } from '@mantine/core'
import { BarChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { type EChartsCoreOption, init, use as register } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'

register([BarChart, GridComponent, TooltipComponent, SVGRenderer])

/** Colours for a plot, read from the page so that they follow its scheme. */
export interface ChartInks {
  readonly text: string
  readonly line: string
  readonly bar: string
  readonly card: string
}

interface ChartProps {
  /** What the plot says, for those who cannot see it. */
  readonly summary: string
  readonly height: number
  readonly option: (inks: ChartInks) => EChartsCoreOption
}

function readInks(element: HTMLElement): ChartInks {
  const style = getComputedStyle(element)
  return {
    text: style.getPropertyValue('--mantine-color-dimmed'),
    line: style.getPropertyValue('--vigil-line'),
    bar: style.getPropertyValue('--bar'),
    card: style.getPropertyValue('--mantine-color-body'),
  }
}

/** Draws one ECharts option as SVG, follows size and colour scheme, and names itself to screen readers. */
export default function Chart({ summary, height, option }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const scheme = useComputedColorScheme('light')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of scheme changes the inks that are read
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const chart = init(element, undefined, { renderer: 'svg' })
    chart.setOption(option(readInks(element)))
    const observer = new ResizeObserver(() => chart.resize())
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.dispose()
    }
  }, [option, scheme])
  return <div ref={frame} role="img" aria-label={summary} style={{ height }} />
}
