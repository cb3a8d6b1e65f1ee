import { parseArgs } from "node:util"
import { Effect } from "effect"
import { audit } from "./audit/audit.ts"
import { clock } from "./clock/clock.ts"
import { compare } from "./compare/compare.ts"
import { growth } from "./growth/growth.ts"
import { measurePieces } from "./pieces/measurePieces.ts"
import { requestLog } from "./requestLog/requestLog.ts"
import { say } from "./say.ts"
import { soak } from "./soak/soak.ts"
import { webhooks } from "./webhooks/webhooks.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    /** Numbers of stored cases. */
    sizes: { type: "string" },
    /** The one kind of request to compare ("case detail" or "case creation"), or with commas between: parts of the names of operations whose growth is measured, or pieces. */
    only: { type: "string" },
    rounds: { type: "string" },
    seconds: { type: "string" },
    "warm-up": { type: "string" },
    sources: { type: "boolean", default: false },
    /** How often the suites are started whose growth is measured, and how often everything is done then, by how many calls. */
    starts: { type: "string", default: "3" },
    passes: { type: "string", default: "2" },
    calls: { type: "string", default: "8" },
    /** How many endpoints of webhooks never answer. */
    dead: { type: "string", default: "10000" },
    /** How many cases the sandbox has whose clock moves. */
    cases: { type: "string", default: "300" },
    /** How long the soak lasts, and how many cases it creates in a second. */
    minutes: { type: "string", default: "60" },
    rate: { type: "string", default: "20" }
  }
})
const unknown = positionals.find(
  (word) => !["growth", "webhooks", "clock", "audit", "log", "pieces", "soak"].includes(word)
)
const sizes = values.sizes?.split(",").map(Number) ?? []

if (unknown !== undefined) {
  say(
    `There is no benchmark ${unknown}: say growth, webhooks, clock, audit, log, pieces or soak, or nothing for the comparison.`
  )
  process.exitCode = 1
} else if (positionals.includes("growth")) {
  const [few = 10_000, many = 1_000_000] = sizes
  const options = {
    few,
    many,
    only: values.only,
    starts: Number(values.starts),
    passes: Number(values.passes),
    callsPerPass: Number(values.calls)
  }
  const over = await Effect.runPromise(Effect.scoped(growth(options)))
  if (over.length > 0) {
    say(`\nThese take longer the more is stored:\n${over.join("\n")}`)
    process.exitCode = 1
  }
} else if (positionals.includes("webhooks")) {
  const over = await Effect.runPromise(Effect.scoped(webhooks({ dead: Number(values.dead) })))
  if (over.length > 0) process.exitCode = 1
} else if (positionals.includes("clock")) {
  const over = await Effect.runPromise(Effect.scoped(clock({ cases: Number(values.cases) })))
  if (over.length > 0) process.exitCode = 1
} else if (positionals.includes("audit")) {
  const options = {
    rounds: Number(values.rounds ?? 36),
    seconds: Number(values.seconds ?? 2.5),
    warmUpSeconds: Number(values["warm-up"] ?? 10)
  }
  const over = await Effect.runPromise(Effect.scoped(audit(options)))
  if (over.length > 0) process.exitCode = 1
} else if (positionals.includes("log")) {
  const options = {
    rounds: Number(values.rounds ?? 30),
    seconds: Number(values.seconds ?? 1.5),
    warmUpSeconds: Number(values["warm-up"] ?? 6)
  }
  const over = await Effect.runPromise(Effect.scoped(requestLog(options)))
  if (over.length > 0) process.exitCode = 1
} else if (positionals.includes("pieces")) {
  const options = {
    only: values.only,
    rounds: Number(values.rounds ?? 20),
    seconds: Number(values.seconds ?? 1),
    warmUpSeconds: Number(values["warm-up"] ?? 5)
  }
  await Effect.runPromise(Effect.scoped(measurePieces(options)))
} else if (positionals.includes("soak")) {
  await Effect.runPromise(Effect.scoped(soak({ minutes: Number(values.minutes), rate: Number(values.rate) })))
} else {
  const options = {
    sizes: sizes.length > 0 ? sizes : [2000, 1_000_000],
    only: values.only,
    rounds: Number(values.rounds ?? 15),
    seconds: Number(values.seconds ?? 2),
    warmUpSeconds: Number(values["warm-up"] ?? 8),
    isFromSources: values.sources
  }
  await Effect.runPromise(Effect.scoped(compare(options)))
}
