import { alpha, type CSSVariablesResolver, createTheme, darken, type MantineColorsTuple } from '@mantine/core'

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
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' }, h3: { fontSize: '0.95rem' } },
  },
  components: {
    Anchor: { defaultProps: { underline: 'hover' } },
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // Menus and dialogs belong to the page's main landmark, wherever they float.
    Portal: { defaultProps: { target: 'main' } },
    Modal: {
      defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } },
      // Fixed without a side it would begin where the content of the main landmark does, and leave narrow windows.
      styles: { inner: { insetInlineStart: 0 } },
    },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } },
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    },
    Tooltip: {
      defaultProps: { openDelay: 250, withArrow: true, events: { hover: true, focus: true, touch: true } },
    },
  },
})

/**
 * Text colours of Mantine that miss a contrast of 4.5 to 1 on their grounds, replaced for both schemes. The tinted
 * ("light") variants of all colours get a darker ink in light, a paler one on a quieter ground in dark.
 */
export const cssVariablesResolver: CSSVariablesResolver = (used) => {
  const inks = (ink: (shades: MantineColorsTuple) => string) =>
    Object.fromEntries(
      Object.entries(used.colors).map(([name, shades]) => [
        `--mantine-color-${name}-light-color`,
        ink(shades),
      ]),
    )
  const quietGrounds = Object.fromEntries(
    Object.entries(used.colors).flatMap(([name, shades]) => [
      [`--mantine-color-${name}-light`, alpha(shades[5], 0.16)],
      [`--mantine-color-${name}-light-hover`, alpha(shades[5], 0.22)],
    ]),
  )
  return {
    variables: {},
    light: {
      ...inks((shades) => darken(shades[9], 0.35)),
      '--mantine-color-dimmed': '#545c66',
      '--mantine-color-placeholder': '#68707a',
      '--mantine-color-error': '#c2255c',
      '--mantine-color-anchor': watch[8],
    },
    dark: {
      ...inks((shades) => shades[2]),
      ...quietGrounds,
      '--mantine-color-dimmed': '#a9b0b8',
      '--mantine-color-placeholder': '#98a0a8',
      '--mantine-color-error': '#ff8787',
      '--mantine-color-anchor': watch[3],
    },
  }
}
