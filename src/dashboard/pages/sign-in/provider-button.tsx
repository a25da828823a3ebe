import { Button, Divider } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { useLocation } from 'react-router'
import { t } from '../../i18n/translate.ts'

interface ProviderButtonProps {
  readonly provider: string
  /** Whether there is no other way to sign in. */
  readonly isOnly: boolean
}

/** Leads to the provider of the company (OpenID Connect), and back to the page that was asked for. */
export function ProviderButton({ provider, isOnly }: ProviderButtonProps) {
  const { pathname, search } = useLocation()
  const query = new URLSearchParams(search)
  query.delete('signIn')
  query.delete('invitationCode')
  const page = pathname === '/signup' ? '/' : pathname
  const returnTo = query.size === 0 ? page : `${page}?${query}`
  return (
    <>
      <Button
        component="a"
        href={`/auth/oidc?${new URLSearchParams({ returnTo })}`}
        variant={isOnly ? 'filled' : 'default'}
        leftSection={<IconBuilding size={18} />}
        fullWidth
      >
        {t('signIn.with', { provider })}
      </Button>
      {!isOnly && <Divider label={t('signIn.orPassword')} labelPosition="center" />}
    </>
  )
}
