import { Navigate } from 'react-router'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { Overview } from './overview.tsx'

/** The state of the installation at a glance; a new one is sent to the first-run page. */
export default function Home() {
  const { data, error, refetch } = useRead('getAllCollectionsBasic', {})
  if (hidesContent(error, data)) {
    return (
      <>
        <PageHeader title="Vigil" />
        <FailureNotice error={error} onRetry={() => void refetch()} />
      </>
    )
  }
  if (data === undefined) return <TableSkeleton />
  const fed = data.apiCollections.some((collection) => collection.type !== 'API_GROUP')
  return fed ? <Overview /> : <Navigate to="/start" replace />
}
