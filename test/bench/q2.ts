import { load } from "/work/main/test/bench/load.ts"
import { readFileSync } from "node:fs"
const [origin="", path="/", pid="0", key=""] = process.argv.slice(2)
const cpu=(pid:string)=>{const f=readFileSync(`/proc/${pid}/stat`,"utf8").split(" ");return (Number(f[13])+Number(f[14]))*10}
const make=()=>({method:"GET" as const,path,headers:{"cv-api-key":key}})
await load(origin,32,1500,make); const b=cpu(pid); const r=await load(origin,32,3000,make); const a=cpu(pid)
console.log(origin,path,Math.round(r.requestsPerSecond)+"/s",Math.round((a-b)*1000/r.requests)+"us")
