import { PhiCipher } from "@care/phi"
import { layerPool } from "@care/service-kit"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Deferred, Duration, Effect, Layer, Redacted } from "effect"
import { layerJobsWith } from "../layerJobs.ts"
import { layerWorker } from "../layerWorker.ts"
import { DeadlyJob } from "./DeadlyJob.ts"

// A process that works off the queue "deadly", whose deadly jobs end it. Its arguments are the URL of the database, how many jobs are under
// way at once, and `together` when no job is to do anything before so many are, and the innocent ones are to hang.
const [url = "", places, mode] = process.argv.slice(2)
const concurrency = Number(places)

const worker = Layer.unwrap(
  Effect.gen(function* () {
    const allPlacesTaken = yield* Deferred.make<void>()
    let underWay = 0

    return layerWorker(
      { ...DeadlyJob, concurrency },
      Effect.fnUntraced(function* ({ kind, name }) {
        underWay += 1
        if (underWay === concurrency) yield* Deferred.succeed(allPlacesTaken, undefined)
        if (mode === "together") yield* Deferred.await(allPlacesTaken)
        if (kind === "deadly") {
          yield* Console.log(`${name} begins beside ${underWay - 1}`)
          process.exit(9)
        }
        if (mode === "together") yield* Effect.never
        underWay -= 1
      })
    )
  })
)

const jobs = layerJobsWith({
  lockExpiration: Duration.millis(300),
  lockRefreshInterval: Duration.millis(50),
  pollInterval: Duration.millis(20),
  debounce: Duration.zero,
  firstRetry: Duration.millis(1)
})

const database = layerPool({ url: Redacted.make(url), schema: "cases", connections: 5, backgroundConnections: 5 })

NodeRuntime.runMain(Layer.launch(worker.pipe(Layer.provide(jobs), Layer.provide([PhiCipher.layer, database]))))
