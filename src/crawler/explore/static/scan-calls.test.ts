import { describe, expect, it } from 'vitest'
import { analyseScript } from './analyse-script.ts'
import { scanCalls } from './scan-calls.ts'

function lines(text: string): string[] {
  return scanCalls(text).map(({ method, url }) => `${method} ${url}`)
}

describe('calls in scripts', () => {
  it('finds the methods of a helper whose name a bundle has changed', () => {
    const text =
      'const x=()=>({archive:async(n,r)=>{let i=`api/admin/projects/${n}/archive`,a=t(i,{method:`POST`,body:JSON.stringify({features:r})});return e(a)},' +
      'drop:async(n,r)=>{let i=`api/admin/projects/${n}/features/${encodeURIComponent(r)}`,a=t(i,{method:"DELETE"});return e(a)},' +
      'other:()=>q(`api/admin/tags`,{headers:h,method:`PUT`})})'
    expect(lines(text)).toEqual([
      'POST api/admin/projects/{}/archive',
      'DELETE api/admin/projects/{}/features/{}',
      'PUT api/admin/tags',
    ])
    expect(scanCalls(text)[0]?.bodyKeys).toEqual(['features'])
  })

  it('finds calls of a client, with addresses in place, joined, or in a variable', () => {
    const text =
      'vd.post(`/shares/invite`,{emails:e,share:u.id});vd.delete("/flows/"+e.id);' +
      'var t="/projects/".concat(e,"/tags/").concat(n);return this.request.patch(t,{text:n});m.delete(k);m.get(k);this.http.post(`${this.none}${n}/states`)'
    expect(lines(text)).toEqual(['POST /shares/invite', 'DELETE /flows/{}', 'PATCH /projects/{}/tags/{}'])
    expect(scanCalls(text).map(({ bodyKeys }) => bodyKeys)).toEqual([['emails', 'share'], null, ['text']])
  })

  it('finds tables of operations', () => {
    const text =
      'const api={users:"/users",make:"POST:/projects",drop:{path:"/tasks/:pk",method:"delete"},save:{method:"PATCH",url:"/tasks/{id}/notes"}}'
    expect(lines(text)).toEqual(['DELETE /tasks/{}', 'PATCH /tasks/{}/notes', 'POST /projects'])
  })

  it('takes the variable that was set last', () => {
    const text =
      'function a(){let i=`/a/${x}`;return t(i,{method:"PUT"})}function b(){let i=n+1;return t(i,{method:"PUT"})}'
    expect(lines(text)).toEqual(['PUT /a/{}'])
  })

  it('takes the base of a resource from the variable that holds it', () => {
    const text =
      'let i=`api/addons`;return{a:async n=>{let r=`${i}/${n.id}`,a=t(r,{method:`PUT`})},b:n=>c.delete(i+"/"+n)}'
    expect(lines(text)).toEqual(['DELETE api/addons/{}', 'PUT api/addons/{}'])
  })

  it('takes the base of a resource from the field of a class', () => {
    const text =
      'class A{constructor(){this.boxUrl=E.proxyUrl+"/box/"}a(e){return this.http.post(`${this.boxUrl}${e}/states`,{})}' +
      'b(){return this.http.put(this.boxUrl,x)}c(e){return this.http.delete(this.boxUrl+e)}d(e){return this.http.post(this.otherUrl+e+"/x")}}'
    expect(lines(text)).toEqual(['POST /box/{}/states', 'PUT /box/', 'DELETE /box/{}'])
  })

  it('finds operations of a class below the path that it hands to the class it extends', () => {
    const text =
      'class G extends R{find=this.make({method:"GET"});save=this.make({method:"PUT",path:"/{id}",keys:["id"]});count=this.make({method:"GET",path:"/count"});' +
      'constructor(e){super(e,{path:"/admin/{realm}/groups",base:()=>e.base})}}class H{a=f("/others",{method:"PUT"})}'
    expect(lines(text)).toEqual([
      'GET /admin/{}/groups',
      'PUT /admin/{}/groups/{}',
      'GET /admin/{}/groups/count',
      'PUT /others',
    ])
  })

  it('finds nothing in what is not a call', () => {
    expect(
      lines('const a={method:"POST"};b.post(x);c={url:"text",method:"get"};f("/x");g("/y",{mode:"PUT"})'),
    ).toEqual([])
  })

  it('reads a script that is too long to be parsed', () => {
    const text = `${'a=1;'.repeat(600_000)}t(\`/api/late/\${n}\`,{method:"PUT"})`
    expect(analyseScript(text).endpoints).toEqual([
      { method: 'PUT', url: '/api/late/{}', bodyKeys: null, isCall: true },
    ])
  })

  it('is quick on text made to be slow', () => {
    const started = performance.now()
    scanCalls('.post(a'.repeat(100_000))
    scanCalls('method:"GET"'.repeat(50_000))
    scanCalls(`${'('.repeat(200_000)}{method:"POST"`)
    scanCalls('x("/a",{method:"PUT",'.repeat(20_000))
    scanCalls('.post("/a".concat('.repeat(20_000))
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
