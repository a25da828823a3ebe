import { Anchor, Box, Breadcrumbs, Grid, Stack } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import type { EndpointKey } from '../../../contract/browser.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { useWrite } from '../../data/use-operation.ts'
import { DryRunSection } from './dry-run.tsx'
import { OptionsStep } from './options-step.tsx'
import { Preview } from './preview.tsx'
import { dryRunRequest, emptyPlan, type RunPlan, startRequest } from './run-plan.ts'
import { TargetStep } from './target-step.tsx'
import { TestsStep } from './tests-step.tsx'

/** Endpoints that the list of endpoints hands over: too many for an address. */
function endpointsFrom(state: unknown): Partial<RunPlan> {
  const { endpoints } = (state ?? {}) as { endpoints?: unknown }
  if (!Array.isArray(endpoints)) return {}
  const keys = endpoints as readonly EndpointKey[]
  return { endpoints: keys, collectionIds: [...new Set(keys.map((key) => key.apiCollectionId))] }
}

/** The plan that an address asks for: a collection, an endpoint, tests, suites. */
function planFrom(search: URLSearchParams): RunPlan {
  const collection = Number(search.get('collection'))
  const method = search.get('method')
  const url = search.get('url')
  if (!search.has('collection') || !Number.isInteger(collection)) {
    return { ...emptyPlan, ...testsFrom(search) }
  }
  const endpoint = { apiCollectionId: collection, method, url } as EndpointKey
  return {
    ...emptyPlan,
    collectionIds: [collection],
    endpoints: method !== null && url !== null ? [endpoint] : [],
    ...testsFrom(search),
  }
}

function testsFrom(search: URLSearchParams): Pick<RunPlan, 'testIds' | 'suiteIds'> {
  return {
    testIds: new Set(search.getAll('test').slice(0, 100)),
    suiteIds: search.getAll('suite').slice(0, 20),
  }
}

/** Pause after a change before the plan is kept: Safari refuses more than 100 changes of its history in 30 seconds. */
const KEEP_AFTER_MS = 400

/** The plan, kept with its entry of the browser's history: it is there again after a reload, and on the way back. */
function usePlan() {
  const [search] = useSearchParams()
  const { state } = useLocation() as { state: { plan?: RunPlan } | null }
  const navigate = useNavigate()
  const [plan, setPlan] = useState<RunPlan>(() => ({
    ...planFrom(search),
    ...(state?.plan ?? endpointsFrom(state)),
  }))
  const kept = useRef(plan)
  useEffect(() => {
    if (kept.current === plan) return
    const timer = setTimeout(() => {
      kept.current = plan
      void navigate({ search: search.toString() }, { replace: true, state: { plan } })
    }, KEEP_AFTER_MS)
    return () => clearTimeout(timer)
  }, [plan, navigate, search])
  return [plan, setPlan] as const
}

/** Plans a run: what, with which tests, when. Nothing is sent before it is started. */
export default function NewRun() {
  const navigate = useNavigate()
  const [plan, setPlan] = usePlan()
  const start = useWrite('startTest')
  const change = (changes: Partial<RunPlan>) => setPlan((now) => ({ ...now, ...changes }))
  // A dry run is that of the plan it was asked for.
  const [dryPlan, setDryPlan] = useState<RunPlan | null>(null)
  const startNow = async () => {
    // A refusal is shown by the preview, from the state of the write.
    const answer = await start.mutateAsync(startRequest(plan)).catch(() => null)
    if (answer?.testingRunHexId) await navigate(`/runs/${answer.testingRunHexId}`)
  }
  return (
    <>
      <PageHeader
        title="New run"
        description="Choose what to test. Nothing is sent before you start the run."
        trail={
          <Breadcrumbs>
            <Anchor component={Link} to="/runs" size="sm">
              Test runs
            </Anchor>
          </Breadcrumbs>
        }
      />
      <Grid>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            <TargetStep plan={plan} onChange={change} />
            <TestsStep plan={plan} onChange={change} />
            <OptionsStep plan={plan} onChange={change} />
            {dryPlan === plan && <DryRunSection request={dryRunRequest(plan)} />}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Box pos={{ base: 'static', md: 'sticky' }} top={68}>
            <Preview
              plan={plan}
              busy={start.isPending}
              failure={start.error}
              isDry={dryPlan === plan}
              onDryRun={() => setDryPlan(plan)}
              onStart={() => void startNow()}
            />
          </Box>
        </Grid.Col>
      </Grid>
    </>
  )
}
