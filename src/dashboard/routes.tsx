import { lazy } from 'react'
import { Navigate, Route, Routes, useSearchParams } from 'react-router'
import { Shell } from './components/shell/shell.tsx'
import { NotFound } from './pages/not-found/not-found.tsx'

const Home = lazy(() => import('./pages/home/home.tsx'))
const Start = lazy(() => import('./pages/start/start.tsx'))
const Report = lazy(() => import('./pages/start/report.tsx'))
const Inventory = lazy(() => import('./pages/inventory/inventory.tsx'))
const Sensitive = lazy(() => import('./pages/inventory/sensitive/sensitive.tsx'))
const Changes = lazy(() => import('./pages/inventory/changes/changes.tsx'))
const DataTypes = lazy(() => import('./pages/inventory/data-types/data-types.tsx'))
const Collections = lazy(() => import('./pages/collections/collections.tsx'))
const Endpoints = lazy(() => import('./pages/endpoints/endpoints.tsx'))
const Endpoint = lazy(() => import('./pages/endpoint/endpoint.tsx'))
const Runs = lazy(() => import('./pages/runs/runs.tsx'))
const NewRun = lazy(() => import('./pages/new-run/new-run.tsx'))
const Run = lazy(() => import('./pages/run/run.tsx'))
const Coverage = lazy(() => import('./pages/coverage/coverage.tsx'))
const Access = lazy(() => import('./pages/access/access.tsx'))
const Result = lazy(() => import('./pages/result/result.tsx'))
const Crawls = lazy(() => import('./pages/crawls/crawls.tsx'))
const NewCrawl = lazy(() => import('./pages/new-crawl/new-crawl.tsx'))
const Crawl = lazy(() => import('./pages/crawl/crawl.tsx'))
const Issues = lazy(() => import('./pages/issues/issues.tsx'))
const Issue = lazy(() => import('./pages/issue/issue.tsx'))
const FalsePositives = lazy(() => import('./pages/false-positives/false-positives.tsx'))
const Library = lazy(() => import('./pages/library/library.tsx'))
const Test = lazy(() => import('./pages/test/test.tsx'))
const Suites = lazy(() => import('./pages/suites/suites.tsx'))
const Threats = lazy(() => import('./pages/threats/threats.tsx'))
const ThreatEvents = lazy(() => import('./pages/threats/events.tsx'))
const ThreatActors = lazy(() => import('./pages/threats/actors.tsx'))
const ThreatActor = lazy(() => import('./pages/threats/actor.tsx'))
const ThreatApis = lazy(() => import('./pages/threats/apis.tsx'))
const ThreatFilters = lazy(() => import('./pages/threats/filters.tsx'))
const ThreatFilter = lazy(() => import('./pages/threats/filter.tsx'))
const Reports = lazy(() => import('./pages/reports/reports.tsx'))
const Alerts = lazy(() => import('./pages/settings/alerts/alerts.tsx'))
const Editor = lazy(() => import('./pages/editor/editor.tsx'))
const Roles = lazy(() => import('./pages/settings/roles/roles.tsx'))
const Keys = lazy(() => import('./pages/settings/keys/keys.tsx'))
const ThreatSettings = lazy(() => import('./pages/settings/threats/threat-settings.tsx'))
const AuditLog = lazy(() => import('./pages/settings/audit/audit-log.tsx'))
const Status = lazy(() => import('./pages/settings/status/status.tsx'))
const Team = lazy(() => import('./pages/settings/team/team.tsx'))
const Organisation = lazy(() => import('./pages/settings/organisation/organisation.tsx'))
const Preferences = lazy(() => import('./pages/settings/preferences/preferences.tsx'))
const Reference = lazy(() => import('./pages/reference/reference.tsx'))
const Settings = lazy(() => import('./pages/settings/settings.tsx'))

/** Every page by its address. */
export function PagesRoutes() {
  return (
    <Routes>
      <Route element={<Shell />}>
        <Route index element={<Home />} />
        <Route path="start" element={<Start />} />
        <Route path="start/imports/:uploadId" element={<Report />} />
        <Route path="apis" element={<Inventory />}>
          <Route index element={<Collections />} />
          <Route path="all" element={<Endpoints />} />
          <Route path="sensitive" element={<Sensitive />} />
          <Route path="changes" element={<Changes />} />
          <Route path="data-types" element={<DataTypes />} />
        </Route>
        <Route path="apis/:collection" element={<Endpoints />} />
        <Route path="apis/:collection/endpoint" element={<Endpoint />} />
        <Route path="runs" element={<Runs />} />
        <Route path="runs/new" element={<NewRun />} />
        <Route path="runs/coverage" element={<Coverage />} />
        <Route path="runs/access" element={<Access />} />
        <Route path="runs/:run" element={<Run />} />
        <Route path="results/:result" element={<Result />} />
        <Route path="crawls" element={<Crawls />} />
        <Route path="crawls/new" element={<NewCrawl />} />
        <Route path="crawls/:crawl" element={<Crawl />} />
        <Route path="issues" element={<Issues />} />
        <Route path="issues/one" element={<Issue />} />
        <Route path="issues/false-positives" element={<FalsePositives />} />
        <Route path="dashboard/issues" element={<OfResult />} />
        <Route path="settings" element={<Settings />}>
          <Route index element={<Navigate to="/settings/organisation" replace />} />
          <Route path="organisation" element={<Organisation />} />
          <Route path="preferences" element={<Preferences />} />
          <Route path="roles" element={<Roles />} />
          <Route path="alerts" element={<Alerts />} />
          <Route path="threats" element={<ThreatSettings />} />
          <Route path="keys" element={<Keys />} />
          <Route path="status" element={<Status />} />
          <Route path="team" element={<Team />} />
          <Route path="audit" element={<AuditLog />} />
        </Route>
        <Route path="library" element={<Library />} />
        <Route path="library/new" element={<Editor />} />
        <Route path="library/suites" element={<Suites />} />
        <Route path="library/:test" element={<Test />} />
        <Route path="api-reference" element={<Reference />} />
        <Route path="reports" element={<Reports />} />
        <Route path="threats" element={<Threats />} />
        <Route path="threats/events" element={<ThreatEvents />} />
        <Route path="threats/actors" element={<ThreatActors />} />
        <Route path="threats/actors/one" element={<ThreatActor />} />
        <Route path="threats/apis" element={<ThreatApis />} />
        <Route path="threats/filters" element={<ThreatFilters />} />
        <Route path="threats/filters/new" element={<ThreatFilter />} />
        <Route path="threats/filters/:filter" element={<ThreatFilter />} />
        <Route path="reset-password" element={<Navigate to="/" replace />} />
        <Route path="signup" element={<Navigate to="/" replace />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  )
}

/** Exports link to an issue by the result that found it. */
function OfResult() {
  const result = useSearchParams()[0].get('result')
  return <Navigate to={result ? `/results/${encodeURIComponent(result)}` : '/issues'} replace />
}
