import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { Pool } from "undici"
import { textAt } from "../../operations/textAt.ts"
import { builtPrograms } from "../builtPrograms.ts"
import { type BenchOrganization, makeOrganization } from "../makeOrganization.ts"
import { newCase } from "../newCase.ts"
import { memoryMegabytes, suiteProcesses } from "../processes.ts"
import { say } from "../say.ts"
import { startBench } from "../startBench.ts"
import { startMailSink } from "../startMailSink.ts"
import { serveReceiver } from "../webhooks/serveReceiver.ts"
import { startAtRate } from "./startAtRate.ts"
import { type Moment, readTables, reportTables } from "./tables.ts"

const organizations = 10
const connections = 64
const warmUpSeconds = 20

// Work that was begun ends, and statistics are reported, which a busy connection does not.
const settlingSeconds = 5

/** How long the load lasts, and how many cases are created in each second of it. */
interface SoakOptions {
  readonly minutes: number
  readonly rate: number
}

/**
 * Creates cases under keys at a steady rate, reads and closes each, and delivers its events. Reports for each table what changed, which rows
 * are dead, how it grew in either half, and how often it was vacuumed.
 */
export const soak = Effect.fnUntraced(function* ({ minutes, rate }: SoakOptions) {
  const mailSink = yield* startMailSink
  // Not in production, where the receiver's address is refused.
  const bench = yield* startBench(
    { isProduction: false, programOf: yield* builtPrograms() },
    { SMTP_URL: mailSink.url }
  )
  const { admin, database, gatewayUrl } = bench
  yield* Effect.promise(() => database.query("CREATE EXTENSION pgstattuple"))
  const customers = yield* Effect.forEach(Array.from({ length: organizations }).keys(), (index) =>
    makeOrganization(admin, `Soak ${index}`)
  )
  yield* Effect.promise(async () => {
    const receiver = await serveReceiver()
    const pool = new Pool(gatewayUrl, { connections, pipelining: 1 })
    const send = async ({ key }: BenchOrganization, method: "GET" | "POST", path: string, body?: unknown) => {
      const response = await pool.request({
        method,
        path: `/api/v1${path}`,
        headers: { "cv-api-key": key, "content-type": "application/json", "idempotency-key": randomUUID() },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      const text = await response.body.text()
      if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`)
      return JSON.parse(text)
    }
    for (const customer of customers) await send(customer, "POST", "/webhook-endpoints", { url: receiver.url })

    let created = 0
    const load = startAtRate(rate, async () => {
      const customer = customers[created % organizations] ?? bench
      created += 1
      const caseId = textAt(await send(customer, "POST", "/cases", newCase(customer.productId)), "data", "caseId")
      await send(customer, "GET", `/customer-case-detail?caseId=${caseId}`)
      await send(customer, "POST", `/cases/${caseId}`, { action: "CHANGE_CASE_STATUS", status: "CLOSE" })
    })
    const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    const look = async (): Promise<Moment> => ({ created, tables: await readTables(database) })
    const memory = () => suiteProcesses().map((one) => `${one.name} ${memoryMegabytes(one).toFixed(0)}`)
    const report = (label: string) => {
      const { count, p50, p99 } = load.part()
      say(
        `${label}: ${count.toLocaleString("en")} cases created, read and closed in ${p50.toFixed(0)} ms (p99 ${p99.toFixed(0)} ms); memory, MB: ${memory().join(", ")}`
      )
    }

    say(
      `${rate} cases a second of ${organizations} organizations, each created, read and closed, for ${minutes} minutes ...`
    )
    await wait(warmUpSeconds)
    load.part()
    const start = await look()
    await wait(minutes * 30)
    const half = await look()
    report("First half")
    await wait(minutes * 30)
    report("Second half")
    await load.stop()
    await wait(settlingSeconds)
    const end = await look()
    say(`${receiver.count().toLocaleString("en")} events were delivered.`)
    reportTables([start, half, end])
    await pool.close()
    receiver.close()
  })
})
