import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm run dev:dashboard` finds a running server. */
const server = process.env['DASHBOARD_DEV_SERVER'] ?? 'http://127.0.0.1:9090'

/** Libraries of every page; plots and the drop zone come with the pages that use them. */
const everyPageNeeds =
  /node_modules\/(react|react-dom|react-router|scheduler|@mantine\/(core|hooks|notifications)|@tanstack|@floating-ui|@tabler)\//

export default defineConfig({
  root: 'src/dashboard',
  plugins: [react()],
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    target: 'es2023',
    // The server's content policy knows neither inline scripts nor data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The libraries of every page are one file; it is some 220 kB compressed, and a test bounds the first view.
    chunkSizeWarningLimit: 1100,
    rolldownOptions: {
      output: {
        // What every page needs, in one file: dozens of small ones cost more time on the way than they save.
        codeSplitting: { groups: [{ name: 'libraries', test: everyPageNeeds }] },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      ['/api', '/auth', '/dashboard/accessToken', '/signup-email', '/health', '/openapi.json'].map((path) => [
        path,
        { target: server },
      ]),
    ),
  },
})
