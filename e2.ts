import v8 from 'node:v8'; v8.setFlagsFromString('--no-allocation-site-pretenuring');
import { InventoryEngine } from '/tmp/wt/src/inventory/engine/engine.ts'
import { openStore } from '/tmp/wt/src/store/index.ts'
import { MessageSource, ReplayableBatch } from '/tmp/wt/bench/ingest/messages.ts'
import { rmSync, writeFileSync } from 'node:fs'
rmSync('/tmp/vt3',{recursive:true,force:true})
const store = await openStore({databaseUrl: process.env.DBURL, dataDir:'/tmp/vt3'})
const engine = await InventoryEngine.open(store)
engine.onTrouble = e => console.log('TROUBLE', e)
const source = new MessageSource(3)
const batches = Array.from({length:32},()=>new ReplayableBatch(source.take(500)))
let pass=0,id=0
// 8 senders, like the bench
async function run(total){ let planned=0; const free=[...batches]; await Promise.all(Array.from({length:8},async()=>{ while(planned<total){ const b=free.shift()!; planned+=b.messages; b.renew(++pass,id+=b.newPaths); const r=await engine.ingest(new Uint8Array(b.bytes),{byHost:true},'OTHER'); if(r.rejected.length||r.duplicates) console.log(r); free.push(b) } })) }
await run(30000)
const cpu=()=>{const c=process.threadCpuUsage();return c.user+c.system}
const pcpu=()=>{const c=process.cpuUsage();return c.user+c.system}
const N=Number(process.argv[2]??100000)
const f0=structuredClone((await engine.figures()).stages)
let session
if (process.env.PROF) { const { Session } = await import('node:inspector/promises'); session = new Session(); session.connect(); await session.post('Profiler.enable'); await session.post('Profiler.setSamplingInterval',{interval:200}); await session.post('Profiler.start') }
let hs; if (process.env.HEAP) { const { Session } = await import('node:inspector/promises'); hs = new Session(); hs.connect(); await hs.post('HeapProfiler.enable'); await hs.post('HeapProfiler.startSampling',{samplingInterval:16384, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: process.env.HEAP==='all'}) }
console.log('MARK');const parts=[]
const t0=performance.now(), c0=cpu(), p0=pcpu()
let lc=c0, lp=p0, bcpu=0, ecpu=0
function parseAll(bytes) {const { batchData } = JSON.parse(bytes.toString());for (const m of batchData) {JSON.parse(m.requestHeaders);JSON.parse(m.responseHeaders);if (m.requestPayload) JSON.parse(m.requestPayload);if (m.responsePayload) JSON.parse(m.responsePayload)}}
for (let k=0;k<2;k++) for (const b of batches) parseAll(b.bytes)
for (let i=0;i<5;i++){ lc=cpu();lp=pcpu(); await run(N/5); const c=cpu(),p=pcpu(); ecpu+=p-lp; {const x=pcpu(); for (const b of batches) parseAll(b.bytes); bcpu+=(pcpu()-x)/16000/5;} parts.push(((c-lc)/(N/5)).toFixed(1)+'/'+((p-lp)/(N/5)).toFixed(1)); lc=c; lp=p }
const dt=performance.now()-t0
if (session) { const {profile} = await session.post('Profiler.stop'); writeFileSync(process.env.PROF, JSON.stringify(profile)) }
if (hs) { const {profile} = await hs.post('HeapProfiler.stopSampling'); const self=new Map(); const walk=(n)=>{ const k=n.callFrame.functionName+' '+n.callFrame.url.split('/').slice(-2).join('/')+':'+n.callFrame.lineNumber; self.set(k,(self.get(k)??0)+n.selfSize); n.children.forEach(walk)}; walk(profile.head); let tot=0; for (const v of self.values()) tot+=v; console.log('total B/msg', tot/N); for (const [k,v] of [...self].sort((a,b)=>b[1]-a[1]).slice(0,30)) console.log((v/N).toFixed(0).padStart(7)+' B/msg', k) }
const f=(await engine.figures()).stages
console.log('ENDMARK');console.log('RATIO', (bcpu/(ecpu/N)).toFixed(3),'base',bcpu.toFixed(2),'proc',(ecpu/N).toFixed(2)); console.log('thread/process cpu us/msg', ((cpu()-c0)/N).toFixed(2), ((pcpu()-p0)/N).toFixed(2), 'wall', (dt*1000/N).toFixed(2), parts.join(' '))
console.log(Object.entries(f).map(([k,v])=>k+' '+((v.microseconds-(f0[k]?.microseconds??0))/N).toFixed(2)).join(' | '), 'rss', Math.round(process.memoryUsage().rss/1e6))
await engine.settle(); console.log((await store.pool.query('select count(*), sum(call_count) from endpoints where root_id=id')).rows[0], (await store.pool.query('select count(*), sum(count) from endpoint_facts')).rows[0], 30000+N)
if (process.env.DUMP) {
 const q=async(t)=>(await store.pool.query(t)).rows.map(r=>JSON.stringify(r))
 const out=[...await q(`select e.method,e.url,f.kind,f.response_code,f.name,f.value_type,f.count,f.first_seen,f.last_seen,f.is_sensitive from endpoint_facts f join endpoints e on e.id=f.endpoint_id order by 1,2,3,4,5,6`), ...await q(`select e.method,e.url,e.call_count,e.first_seen,e.last_seen,e.response_codes,e.auth_combinations,e.actual_auth_types,e.access_types,e.sensitive_in_request,e.sensitive_in_response,e.sources,e.api_type,(select array_agg(slot order by slot) from samples s where s.endpoint_id=e.id) slots from endpoints e order by 1,2`), ...await q(`select e.method,e.url,c.minute,c.status_class,c.count from call_stats c join endpoints e on e.id=c.endpoint_id order by 1,2,3,4`), ...await q(`select e.method,e.url,w.window_start,(select jsonb_object_agg(key,value order by key) from jsonb_each(w.counts)) from ip_windows w join endpoints e on e.id=w.endpoint_id order by 1,2,3`), ...await q(`select source,outcome,sum(count) from traffic_ledger group by 1,2 order by 1,2`), ...await q('select method,path,status,count from probes order by 1,2,3')]
 writeFileSync(process.env.DUMP, out.join('\n'))
}
await engine.close(); await store.close()
