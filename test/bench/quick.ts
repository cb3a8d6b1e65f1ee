import { load } from "/work/main/test/bench/load.ts"
import { readFileSync } from "node:fs"
const [origin="", kind="read", ms="4000", conns="32"] = process.argv.slice(2)
const env = Object.fromEntries([...readFileSync("/tmp/keys.env","utf8").matchAll(/(\w+)=(\S+)/g)].map(m=>[m[1],m[2]])) as Record<string,string>
let i=Math.floor(Math.random()*1e9)
const cpu=(pid:string)=>{try{const f=readFileSync(`/proc/${pid}/stat`,"utf8").split(" ");return (Number(f[13])+Number(f[14]))*10}catch{return 0}}
const pids=process.argv.slice(6)
const make = kind==="read" ? ()=>({method:"GET" as const,path:`/api/v1/customer-case-detail?caseId=${env.C}`,headers:{"cv-api-key":env.KEY!}})
 : ()=>{ i++; return {method:"POST" as const,path:"/api/v1/cases",headers:{"cv-api-key":env.KEY!,"content-type":"application/json"},body:JSON.stringify({user:{firstName:"Ana",lastName:"B",email:`p${i}@x.io`,phoneNumber:`+1${String(2120000000+(i%7000000)*100+ (i%89)+10).slice(0,10)}`.replace(/^\+1(\d{3})(\d)/,(_,a)=>`+1${a}5`),dob:"1990-01-31",gender:"FEMALE",shippingAddress:{addressLine1:"1 Main St",city:"SF",state:"CA",country:"US",postalCode:"94107"}},products:[{id:env.P,form:{title:"Intake",questions:[{question:"How much do you weigh?",answer:"180",type:"TEXT",phi:true,required:true},{question:"Any allergies?",answer:"No",type:"SINGLESELECT",options:["Yes","No"]}]}}]})}}
await load(origin, Number(conns), 2000, make)
const before=pids.map(cpu)
const r=await load(origin, Number(conns), Number(ms), make)
const after=pids.map(cpu)
console.log(origin, kind, Math.round(r.requestsPerSecond)+"/s", "p50", r.p50.toFixed(2), "p99", r.p99.toFixed(2), "cpu us/req", pids.map((_,k)=>Math.round(((after[k]!-before[k]!)*1000)/r.requests)).join(" "))
