import { layerTestCipher } from "@care/phi/testing"
import { layerPool } from "@care/service-kit"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Redacted } from "effect"
import { makeAuditChains } from "../makeAuditChains.ts"
import { makeAuditMonths } from "../makeAuditMonths.ts"
import { atMoment } from "./atMoment.ts"

// A process that ends the months before June 2026, or links what waits. Arguments: the URL of the database, "end" or "link".
const [url = "", work] = process.argv.slice(2)

const run = work === "end" ? Effect.flatMap(makeAuditMonths, ({ end }) => end) : Effect.flatten(makeAuditChains)
const database = layerPool({ url: Redacted.make(url), schema: "cases", connections: 2, backgroundConnections: 2 })

NodeRuntime.runMain(atMoment("2026-06-20T00:00:00Z")(run).pipe(Effect.provide([database, layerTestCipher])))
