import { OrganizationId, Uuid } from "@care/domain/ids"
import { layerTestCipher } from "@care/phi/testing"
import { layerPool, RequestId } from "@care/service-kit"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Exit, Layer, Redacted, Schema } from "effect"
import { Audit } from "../Audit.ts"
import { AuditOutbox } from "../AuditOutbox.ts"

// A process that records reads without end, each in a request of its own, and moves its outbox all the time. It prints the id of the request
// when the read may be answered, or that it was refused. Arguments: the URL of the database, the folder of the outbox, the organization.
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
      Layer.provide([database, layerTestCipher])
    )
  )
)
