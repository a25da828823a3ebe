import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { BrowserRouter } from 'react-router'
import { ErrorBoundary } from './components/feedback/error-boundary.tsx'
import { queryClient } from './data/query-client.ts'
import { Gate } from './session/gate.tsx'
import { cssVariablesResolver, theme } from './theme/theme.ts'

/** Key shared with color-scheme.js, which reads it before the first paint. */
const colorSchemes = localStorageColorSchemeManager({ key: 'vigil-color-scheme' })

/** The whole dashboard: theme, data, routes, and the gate that asks who is there. */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
    >
      <Notifications position="bottom-right" containerWidth={420} withinPortal={false} />
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          <BrowserRouter>
            <Gate />
          </BrowserRouter>
        </QueryClientProvider>
      </ErrorBoundary>
    </MantineProvider>
  )
}
