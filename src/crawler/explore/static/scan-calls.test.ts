import { describe, expect, it } from 'vitest'
import { analyse } from './analysis.ts'
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

  it('keeps queries whose parameters have names', () => {
    const text =
      'a.get(`/api/search?type=flag&project=${p}`);a.post(`/api/copy?${q}`,{});a.delete("/api/flags?"+n);a.get("/api/say?text=a b")'
    expect(lines(text)).toEqual([
      'GET /api/search?type=flag&project={}',
      'POST /api/copy',
      'DELETE /api/flags',
      'GET /api/say',
    ])
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

  it('does not take a call whose path is not known for one of the whole collection', () => {
    expect(
      lines('class G extends R{a=this.make({method:"DELETE",path:e});b(){super(e,{path:"/groups"})}}'),
    ).toEqual([])
  })

  it('finds nothing in what is not a call', () => {
    expect(
      lines('const a={method:"POST"};b.post(x);c={url:"text",method:"get"};f("/x");g("/y",{mode:"PUT"})'),
    ).toEqual([])
  })

  it('reads a script that is too long to be parsed', () => {
    const text = `${'a=1;'.repeat(600_000)}t(\`/api/late/\${n}\`,{method:"PUT"})`
    expect(analyse({ kind: 'calls', text }).endpoints).toEqual([
      { method: 'PUT', url: '/api/late/{}', bodyKeys: null, isCall: true },
    ])
  })

  it('reads the scripts of a page, and not its text, which anybody may have written', () => {
    const text = '<pre>c.delete(`/api/orders/7`)</pre><script type="module">c.put(`/api/flags/7`)</script>'
    expect(analyse({ kind: 'page calls', text }).endpoints.map(({ url }) => url)).toEqual(['/api/flags/7'])
  })

  it.each([
    '.post(a',
    'method:"GET"',
    '({method:"POST"',
    'x("/a",{method:"PUT",',
    '.post("/a".concat(',
    '.post(this.ab+"/x")',
    '.ab=1;.post(this.ab+"/x")',
  ])('takes no longer than its length tells: %s', (part) => {
    const best = (times: number): number => {
      const text = part.repeat(times)
      const runs = [1, 2, 3].map(() => {
        const before = process.threadCpuUsage()
        scanCalls(text)
        const { user, system } = process.threadCpuUsage(before)
        return user + system
      })
      return Math.min(...runs)
    }
    // Microseconds of this thread. What is quadratic takes sixteen times as long for four times the text.
    expect(best(16_000)).toBeLessThan(10 * best(4_000) + 50_000)
  })
})
