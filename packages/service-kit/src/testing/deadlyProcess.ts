import { NodeRuntime } from "@effect/platform-node"
import { Console, Deferred, Duration, Effect, Layer, Redacted } from "effect"
import { PersistedQueue } from "effect/persistence"
import { PhiCipher } from "../crypto/PhiCipher.ts"
import { layerJobsWith } from "../jobs/layerJobs.ts"
import { layerWorker } from "../jobs/layerWorker.ts"
import { layerPool } from "../sql/layerDatabase.ts"
import { DeadlyJob } from "./DeadlyJob.ts"

// A process that works off the queue "deadly", whose deadly jobs end it. Its arguments are the URL of the database, how
// many jobs are under way at once, and `together` when no job is to do anything before so many are, and the innocent ones
// are to hang.
const [url = "", places, mode] = process.argv.slice(2)
const name = "deadly"
const concurrency = Number(places)

const worker = Layer.unwrap(
  Effect.gen(function* () {
    const queue = yield* PersistedQueue.make({ name, schema: DeadlyJob, maxAttempts: 50 })
    const allPlacesTaken = yield* Deferred.make<void>()
    let underWay = 0

    const perform = Effect.fnUntraced(function* ({ kind }: typeof DeadlyJob.Type, id: string) {
      underWay += 1
      if (underWay === concurrency) yield* Deferred.succeed(allPlacesTaken, undefined)
      if (mode === "together") yield* Deferred.await(allPlacesTaken)
      if (kind === "deadly") {
        yield* Console.log(`${id} begins beside ${underWay - 1}`)
        process.exit(9)
      }
      if (mode === "together") yield* Effect.never
      underWay -= 1
    })
    return layerWorker({ name, queue, concurrency, perform })
  })
)

const jobs = layerJobsWith({
  lockExpiration: Duration.millis(300),
  lockRefreshInterval: Duration.millis(50),
  pollInterval: Duration.millis(20)
})

const database = layerPool({ url: Redacted.make(url), schema: "cases", maxConnections: 5 })

NodeRuntime.runMain(Layer.launch(worker.pipe(Layer.provide(jobs), Layer.provide([PhiCipher.layer, database]))))
