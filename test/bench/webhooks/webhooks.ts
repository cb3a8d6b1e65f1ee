import { performance } from "node:perf_hooks"
import { Effect } from "effect"
import { newCase } from "../newCase.ts"
import { startCounting, suiteProcesses } from "../processes.ts"
import { say } from "../say.ts"
import { startBench } from "../startBench.ts"
import { makeDeadEndpoints } from "./makeDeadEndpoints.ts"
import { makeSender } from "./makeSender.ts"
import { serveReceiver } from "./serveReceiver.ts"
import { takeTimesAtRest } from "./takeTimesAtRest.ts"

const aimAtRestMillis = 100
const aimOfThousandSeconds = 10

// Endpoints that worked until now use the slots of proven ones until their failure is noticed.
const aimBesideDyingMillis = 1000

const report = (label: string, value: string, isMet: boolean) =>
  say(`${label}: ${value}${isMet ? "" : "  <- over the aim"}`)

/**
 * Measures the delivery of events: at rest, a thousand at a time, and beside endpoints that never answer. Returns the results that miss
 * their aim.
 */
export const webhooks = Effect.fnUntraced(function* ({ dead }: { readonly dead: number }) {
  const bench = yield* startBench({ isProduction: false })
  return yield* Effect.promise(async () => {
    const receiver = await serveReceiver()
    const sender = await makeSender(bench, receiver.url, newCase(bench.productId))
    const over: Array<string> = []
    const check = (label: string, value: number, aim: number, unit: string) => {
      report(label, `${value.toFixed(unit === "s" ? 1 : 0)} ${unit} (aim: ${aim} ${unit})`, value <= aim)
      if (value > aim) over.push(label)
    }

    check(
      "From the answer to the first attempt, at rest",
      await takeTimesAtRest(receiver, sender.one),
      aimAtRestMillis,
      "ms"
    )

    const before = receiver.count()
    const used = startCounting(suiteProcesses())
    const committedAt = await sender.thousand()
    await receiver.reach(before + 1000)
    check("1,000 deliveries to one receiver", (performance.now() - committedAt) / 1000, aimOfThousandSeconds, "s")

    say(`Processor time of the suite for them: ${(used() / 1000).toFixed(1)} s`)

    const many = dead.toLocaleString("en")
    const beside = async (whom: string, health: "FRESH" | "PROVEN", aim: number) => {
      say(`Storing ${many} endpoints ${whom}, with an event each ...`)
      const silent = await makeDeadEndpoints(bench, dead, health)
      await silent.reach(Math.min(dead, 100))
      const time = await takeTimesAtRest(receiver, sender.one)
      check(`The same at rest, beside ${many} endpoints ${whom}`, time, aim, "ms")
      say(`${silent.count().toLocaleString("en")} attempts at those were begun meanwhile.`)
      silent.close()
    }
    await beside("that never answered", "FRESH", aimAtRestMillis)
    await beside("that answered until now", "PROVEN", aimBesideDyingMillis)
    receiver.close()
    return over
  })
})
