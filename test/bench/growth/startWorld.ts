import type { StartSettings } from "@care/sandbox"
import { Effect } from "effect"
import { say } from "../say.ts"
import { seedCases } from "../seed/seedCases.ts"
import { startBench } from "../startBench.ts"
import { growthStatements } from "./growthStatements.ts"
import { noteJobRuns } from "./jobRuns.ts"
import { makeWorld } from "./World.ts"

// Memory for all stored data, so that the measurement is about work, and not about this machine's disk.
const kilobytesPerCase = 9

/** Starts a suite, from the sources unless programs are given, with one organization that has a number of cases and patients. */
export const startWorld = Effect.fnUntraced(function* (
  size: number,
  fileUrl: string,
  programs: Pick<StartSettings, "programOf"> = {}
) {
  const bufferMegabytes = Math.ceil(256 + (size * kilobytesPerCase) / 1024)
  const bench = yield* startBench({ isProduction: false, bufferMegabytes, ...programs })
  const { admin, database, organizationId } = bench
  const bundleId = yield* admin.create(`/organizations/${organizationId}/bundles`, {
    name: "Bundle",
    description: "A program",
    imageUrl: "https://example.com/bundle.png",
    price: "99.00",
    priceUnit: "USD",
    initialDiscount: "0.00",
    isSoldOut: false,
    isVisible: true
  })
  say(`Storing ${size.toLocaleString("en")} cases and what hangs on them ...`)
  const caseIds = yield* Effect.promise(() => seedCases(database, bench, [1, size], growthStatements))
  yield* Effect.promise(() => noteJobRuns(database))
  return yield* Effect.promise(() => makeWorld(bench, { bundleId, fileUrl, caseIds }))
})
