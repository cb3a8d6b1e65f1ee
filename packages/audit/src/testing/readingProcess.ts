import { OrganizationId, Uuid } from "@care/domain/ids"
import { layerPool, RequestId } from "@care/service-kit"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Exit, Layer, Redacted, Schema } from "effect"
import { Audit } from "../Audit.ts"
import { AuditOutbox } from "../AuditOutbox.ts"

// A process that records one read after the other for ever, each on a request of its own, and writes the request's id when the read may
// be answered, or that it was refused. Its arguments are the URL of the database, the folder of the outbox, and the organization. It
// moves its outbox all the time.
const [url = "", folder = "", organization] = process.argv.slice(2)
const organizationId = OrganizationId.make(Schema.decodeUnknownSync(Uuid)(organization))

const readOn = Effect.gen(function* () {
  const audit = yield* Audit
  const { move } = yield* AuditOutbox
  yield* Effect.forkScoped(Effect.forever(Effect.orDie(move)))
  for (let count = 1; ; count += 1) {
    const read = audit.read({ organizationId, action: "CASE_READ" })
    const exit = yield* Effect.exit(Effect.provideService(read, RequestId, `read-${count}`))
    yield* Console.log(Exit.isSuccess(exit) ? `read-${count}` : `refused read-${count}`)
  }
})

const database = layerPool({ url: Redacted.make(url), schema: "cases", connections: 2, backgroundConnections: 2 })

NodeRuntime.runMain(
  Layer.launch(
    Layer.effectDiscard(readOn).pipe(
      Layer.provide(Audit.layer.pipe(Layer.provideMerge(AuditOutbox.layer(folder)))),
      Layer.provide(database)
    )
  )
)
