import { layerIdleJobs } from "@care/jobs/testing"
import { PhiCipher } from "@care/phi"
import { IdentityTokens, layerHttpClient, layerPool } from "@care/service-kit"
import { layerTestConfig } from "@care/service-kit/testing"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer, Redacted, Schema } from "effect"
import { changeThing, Thing, ThingReplication } from "./Thing.ts"

// A process that changes a thing. Its arguments are the URL of the database and the thing.
const [url = "", thing = ""] = process.argv.slice(2)

const layerOwner = ThingReplication.layerNotifying.pipe(
  Layer.provide(layerIdleJobs),
  Layer.provide([IdentityTokens.layer, layerHttpClient, PhiCipher.layer]),
  Layer.provide(layerTestConfig()),
  Layer.provideMerge(layerPool({ url: Redacted.make(url), schema: "cases", connections: 5, backgroundConnections: 5 }))
)

NodeRuntime.runMain(
  Effect.provide(changeThing(Schema.decodeUnknownSync(Schema.fromJsonString(Thing))(thing), "changed"), layerOwner)
)
