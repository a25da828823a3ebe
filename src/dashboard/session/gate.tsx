import { Center, Loader, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useLocation } from 'react-router'
import { t } from '../i18n/translate.ts'
import { PagesRoutes } from '../routes.tsx'
import { useSessionState } from './use-session.ts'

const SignIn = lazy(() => import('../pages/sign-in/sign-in.tsx'))
const ResetPassword = lazy(() => import('../pages/sign-in/reset-password.tsx'))
const SignUp = lazy(() => import('../pages/sign-in/sign-up.tsx'))
const Unreachable = lazy(() => import('../pages/sign-in/unreachable.tsx'))

/** Shows what the visitor's standing allows: sign-up of the first user, sign-in, or the pages. */
export function Gate() {
  return (
    <Suspense fallback={<Opening />}>
      <Standing />
    </Suspense>
  )
}

function Standing() {
  const state = useSessionState()
  const { pathname } = useLocation()
  switch (state.phase) {
    case 'starting':
      return <Opening />
    case 'unreachable':
      return <Unreachable reason={state.reason} />
    case 'needs-first-user':
      return <SignUp isFirst needsSetupCode={state.needsSetupCode} />
    case 'signed-out':
      if (pathname === '/reset-password') return <ResetPassword />
      return pathname === '/signup' ? <SignUp isFirst={false} /> : <SignIn expired={state.expired} />
    case 'signed-in':
      return <PagesRoutes />
  }
}

function Opening() {
  return (
    <Center h="100vh" role="status">
      <Loader size="sm" mr="sm" aria-hidden />
      <Text>{t('shell.opening')}</Text>
    </Center>
  )
}
