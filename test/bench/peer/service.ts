import Fastify from "fastify"
import pg from "pg"
import { caseDetail } from "./caseDetail.ts"
import { createCase } from "./createCase.ts"
import { formats } from "./formats.ts"
import { makeCipher } from "./makeCipher.ts"
import { makeTell } from "./makeTell.ts"
import { createJobs, runJobs } from "./runJobs.ts"

// What the suite's services do for the two endpoints, as one service with one database.

const [port = "", databaseUrl = "", phiKey = "", smtpUrl = ""] = process.argv.slice(2)

const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })
const cipher = makeCipher(phiKey)
await pool.query("CREATE SCHEMA peer")
await pool.query(createJobs)

const app = Fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false, formats } } })
const report = (error: unknown) => process.stderr.write(`peer: ${String(error)}\n`)
app.addHook("onError", async (_request, _reply, error) => {
  if ((error.statusCode ?? 500) >= 500) report(error)
})
createCase(app, pool, cipher, runJobs(pool, makeTell(smtpUrl), report))
caseDetail(app, pool, cipher)

await app.listen({ port: Number(port), host: "127.0.0.1" })
process.send?.("ready")
