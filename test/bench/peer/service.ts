import Fastify from "fastify"
import pg from "pg"
import { caseDetail } from "./caseDetail.ts"
import { createCase } from "./createCase.ts"
import { formats } from "./formats.ts"
import { createAudit, makeAudit } from "./makeAudit.ts"
import { makeCipher } from "./makeCipher.ts"
import { makeTell } from "./makeTell.ts"
import { createJobs, runJobs } from "./runJobs.ts"

// Does the work of the suite's services for the two endpoints, as one service with one database.

const [port = "", databaseUrl = "", phiKey = "", smtpUrl = "", folder = ""] = process.argv.slice(2)

const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })
const cipher = makeCipher(phiKey)
await pool.query("CREATE SCHEMA peer")
await pool.query(createJobs)
await pool.query(createAudit)

const app = Fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false, formats } } })
const report = (error: unknown) => process.stderr.write(`peer: ${String(error)}\n`)
app.addHook("onError", async (_request, _reply, error) => {
  if ((error.statusCode ?? 500) >= 500) report(error)
})
const audit = makeAudit(pool, folder, report)
createCase(app, pool, cipher, audit, runJobs(pool, audit, makeTell(smtpUrl), report))
caseDetail(app, pool, cipher, audit)

await app.listen({ port: Number(port), host: "127.0.0.1" })
process.send?.("ready")
