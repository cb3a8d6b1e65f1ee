import { layerTestCipher } from "@care/phi/testing"
import { temporaryFolder } from "@care/service-kit/testing"
import { Effect, Layer } from "effect"
import { Audit } from "../Audit.ts"
import { AuditOutbox } from "../AuditOutbox.ts"

/** Provides the audit of a service on the test's database, with an outbox of its own. */
export const layerTestAudit = Audit.layer.pipe(
  Layer.provideMerge(Layer.unwrap(Effect.map(temporaryFolder(), (folder) => AuditOutbox.layer(folder)))),
  Layer.provide(layerTestCipher)
)
