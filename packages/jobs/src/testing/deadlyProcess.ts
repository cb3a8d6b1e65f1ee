import { PhiCipher } from "@care/phi"
import { layerPool } from "@care/service-kit"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Deferred, Duration, Effect, Layer, Redacted } from "effect"
import { layerJobsWith } from "../layerJobs.ts"
import { layerWorker } from "../layerWorker.ts"
import { DeadlyJob } from "./DeadlyJob.ts"
import { quickTimes } from "./layerQuickJobs.ts"

// A process that runs the queue "deadly", and ends when it runs a deadly job. Arguments: the URL of the database, the number of slots, and
// optionally `together`: then each job waits until all slots are taken, and innocent jobs hang.
const [url = "", slots, mode] = process.argv.slice(2)
const concurrency = Number(slots)

const worker = Layer.unwrap(
  Effect.gen(function* () {
    const allSlotsTaken = yield* Deferred.make<void>()
    let running = 0

    return layerWorker(
      { ...DeadlyJob, concurrency },
      Effect.fnUntraced(function* ({ kind, name }) {
        running += 1
        if (running === concurrency) yield* Deferred.succeed(allSlotsTaken, undefined)
        if (mode === "together") yield* Deferred.await(allSlotsTaken)
        if (kind === "deadly") {
          yield* Console.log(`${name} begins beside ${running - 1}`)
          process.exit(9)
        }
        if (mode === "together") yield* Effect.never
        running -= 1
      })
    )
  })
)

const jobs = layerJobsWith({
  ...quickTimes,
  lockExpiration: Duration.millis(300),
  lockRefreshInterval: Duration.millis(50)
})

const database = layerPool({ url: Redacted.make(url), schema: "cases", connections: 5, backgroundConnections: 5 })

NodeRuntime.runMain(Layer.launch(worker.pipe(Layer.provide(jobs), Layer.provide([PhiCipher.layer, database]))))
