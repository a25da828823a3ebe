import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm run dev:dashboard` finds a running server. */
const server = process.env['DASHBOARD_DEV_SERVER'] ?? 'http://127.0.0.1:9090'

/** Libraries of every page, and the styles in their order; plots and the drop zone come with the pages that use them. */
const everyPageNeeds =
  /node_modules\/(react|react-dom|react-router|scheduler|@mantine\/(hooks|notifications)|@tanstack\/(query-core|react-query|table-core|react-table))\/|@mantine\/core\/styles\.css/
/** Libraries of which each page uses some parts. */
const partsOfPages = /node_modules\/(@mantine\/core|@floating-ui|@tabler)\//

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
    // A test bounds the first view.
    chunkSizeWarningLimit: 1100,
    rolldownOptions: {
      output: {
        // What every page needs, in two files: dozens of small ones cost more time on the way than they save.
        // Parts of the component library that fewer than four pages use come with these pages.
        codeSplitting: {
          groups: [
            { name: 'libraries', test: everyPageNeeds },
            { name: 'components', test: partsOfPages, minShareCount: 4 },
          ],
        },
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
