/** What the command line of a browser depends on. */
interface FlagFacts {
  readonly path: string
  /** Rules for `--host-resolver-rules`; null resolves as the system does. */
  readonly hostRules: string | null
  readonly verifiesTls: boolean
  /** Whether the process runs as root, as whom the sandbox refuses to start. */
  readonly isRoot: boolean
  readonly userAgent: string | null
  /** Language that pages see in navigator.language and Accept-Language (BCP 47). */
  readonly language: string
}

/** Largest heap of a page's scripts, in MiB. */
const SCRIPT_HEAP_MB = 1024

/**
 * The whole command line but pipe and profile, which the library adds. Nothing that weakens what separates sites from
 * each other: the pages are hostile.
 */
export function launchFlags({
  path,
  hostRules,
  verifiesTls,
  isRoot,
  userAgent,
  language,
}: FlagFacts): string[] {
  const isShell = /headless[-_]shell/i.test(path) || /chromium-[\d.]+[/\\]chromium$/.test(path)
  return [
    isShell ? '--headless' : '--headless=new',
    // Nobody but the targets hears of it.
    '--disable-background-networking',
    '--disable-client-side-phishing-detection',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-quic',
    '--disable-sync',
    '--metrics-recording-only',
    '--no-default-browser-check',
    '--no-first-run',
    '--no-pings',
    '--no-proxy-server',
    '--no-service-autorun',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-features=Translate,MediaRouter,OptimizationHints,AcceptCHFrame,InterestFeedContentSuggestions,DialMediaRouteProvider,AutofillServerCommunication,CertificateTransparencyComponentUpdater,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
    // Pages in the background work like the one in front.
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    '--disable-ipc-flooding-protection',
    '--disable-hang-monitor',
    '--disable-prompt-on-repost',
    '--disable-breakpad',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    '--force-prefers-reduced-motion',
    '--hide-scrollbars',
    '--mute-audio',
    '--password-store=basic',
    '--use-mock-keychain',
    // Without it the browser makes a tag of the system's locale, and of LANG=C.UTF-8 one that pages crash on.
    `--accept-lang=${language}`,
    `--js-flags=--max-old-space-size=${SCRIPT_HEAP_MB}`,
    ...(hostRules === null ? [] : [`--host-resolver-rules=${hostRules}`]),
    ...(verifiesTls ? [] : ['--ignore-certificate-errors']),
    ...(isRoot ? ['--no-sandbox'] : []),
    ...(userAgent === null ? [] : [`--user-agent=${userAgent}`]),
    'about:blank',
  ]
}
