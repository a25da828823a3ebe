import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const watch: MantineColorsTuple = [
  '#eef2fd',
  '#dbe3f8',
  '#b6c5ee',
  '#8fa6e6',
  '#7590e0',
  '#5b79d6',
  '#4766c8',
  '#3855b5',
  '#2f4aa0',
  '#243a80',
]

/** Look of the product: one accent, system fonts, quiet corners. */
export const theme = createTheme({
  colors: { watch },
  primaryColor: 'watch',
  primaryShade: { light: 8, dark: 7 },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Open Sans", "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' } } },
  components: {
    Anchor: { defaultProps: { underline: 'hover' } },
    Modal: { defaultProps: { centered: true } },
    Tooltip: {
      defaultProps: { openDelay: 250, withArrow: true, events: { hover: true, focus: true, touch: true } },
    },
  },
})

/**
 * Text colours of Mantine that miss a contrast of 4.5 to 1 on their grounds, replaced for both schemes. The tinted
 * ("light") variants of all colours get a darker ink in light and a paler one in dark.
 */
export const cssVariablesResolver: CSSVariablesResolver = (used) => {
  const tinted = (shade: number) =>
    Object.fromEntries(
      Object.entries(used.colors).map(([name, shades]) => [
        `--mantine-color-${name}-light-color`,
        shades[shade] ?? 'inherit',
      ]),
    )
  return {
    variables: {},
    light: {
      ...tinted(9),
      '--mantine-color-dimmed': '#545c66',
      '--mantine-color-placeholder': '#68707a',
      '--mantine-color-error': '#c2255c',
      '--mantine-color-anchor': watch[8],
    },
    dark: {
      ...tinted(2),
      '--mantine-color-dimmed': '#a9b0b8',
      '--mantine-color-placeholder': '#98a0a8',
      '--mantine-color-error': '#ff8787',
      '--mantine-color-anchor': watch[3],
    },
  }
}
