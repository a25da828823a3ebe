/** Style of the reference page. */
export const referenceStyle = `
:root{--ink:#1c2128;--soft:#57606a;--paper:#fff;--panel:#f6f8fa;--line:#d0d7de;--accent:#0550ae}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9da7b3;--paper:#0d1117;--panel:#161b22;--line:#30363d;--accent:#79c0ff}}
*{box-sizing:border-box}
body{margin:0;display:grid;grid-template-columns:19rem minmax(0,1fr);font:15px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;background:var(--panel);border-right:1px solid var(--line)}
nav h2{font-size:.78rem;margin:1.1rem 0 .3rem;color:var(--soft)}
nav ul{list-style:none;margin:0;padding:0}
nav li a{display:block;padding:.1rem 0;overflow-wrap:anywhere;font-size:.84rem}
.brand{font-weight:700;margin:0 0 .6rem}
.search{font-size:.84rem;color:var(--soft)}
.search input{display:block;width:100%;padding:.4rem .5rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:6px}
main{max-width:62rem;padding:1.5rem 2rem 4rem;min-width:0}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem;z-index:1}
section{margin-top:3rem}article{border-top:1px solid var(--line);padding:1.2rem 0}
h3{margin:0;font:600 1.05rem ui-monospace,monospace;overflow-wrap:anywhere}h3 a{color:inherit}
h4,h5{margin:1rem 0 .3rem;font-size:.9rem}.summary{margin:.2rem 0;font-weight:600}
.facts span{display:inline-block;font-size:.78rem;color:var(--soft);border:1px solid var(--line);border-radius:999px;padding:0 .55rem;margin:.1rem 0}
.note{color:var(--soft)}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.88rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line)}th{color:var(--soft);font-weight:600}
code,pre{font-family:ui-monospace,monospace;font-size:.86em}
pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.7rem;overflow:auto;max-height:26rem}
summary{cursor:pointer;color:var(--accent);margin-top:.8rem}[hidden]{display:none!important}
@media (max-width:50rem){body{display:block}nav{position:static;height:auto;max-height:40vh;border-right:0;border-bottom:1px solid var(--line)}main{padding:1rem}}
@media print{nav{display:none}body{display:block}}
`

/** Script of the reference page: filters operations by their words. The page is complete without it. */
export const referenceScript = `
const box=document.getElementById('search'),told=document.getElementById('found')
box.parentElement.hidden=false
const articles=[...document.querySelectorAll('article[data-name]')].map((node)=>({node,words:(node.dataset.name+' '+node.querySelector('.summary').textContent).toLowerCase()}))
const links=new Map([...document.querySelectorAll('nav li[data-name]')].map((node)=>[node.dataset.name,node]))
box.addEventListener('input',()=>{
  const words=box.value.toLowerCase().split(' ').filter(Boolean)
  let count=0
  for(const item of articles){
    const fits=words.every((word)=>item.words.includes(word))
    item.node.hidden=!fits
    links.get(item.node.dataset.name).hidden=!fits
    if(fits)count++
  }
  for(const section of document.querySelectorAll('main section'))if(!section.id)section.hidden=!section.querySelector('article:not([hidden])')
  for(const list of document.querySelectorAll('nav ul'))if(list.querySelector('[data-name]'))list.hidden=list.previousElementSibling.hidden=!list.querySelector('li:not([hidden])')
  told.hidden=words.length===0
  told.textContent=count+(count===1?' operation':' operations')
})
document.addEventListener('keydown',(event)=>{if(event.key==='/'&&event.target!==box){event.preventDefault();box.focus()}})
`
