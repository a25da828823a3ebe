import { Navigate } from 'react-router'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { t } from '../../i18n/translate.ts'
import { Overview } from './overview.tsx'

/** The state of the installation at a glance; a new one is sent to the first-run page. */
export default function Home() {
  const { data, error } = useRead('getAllCollectionsBasic', {})
  // Every card asks for itself: where this answer alone is missing, the others show what they know.
  if (hidesContent(error, data)) return <Overview />
  if (data === undefined)
    return (
      <>
        <PageHeader title={t('nav.overview')} />
        <TableSkeleton />
      </>
    )
  const fed = data.apiCollections.some((collection) => collection.type !== 'API_GROUP')
  return fed ? <Overview /> : <Navigate to="/start" replace />
}
