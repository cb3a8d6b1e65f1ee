import { temporaryFolder } from "@care/service-kit/testing"
import { Effect, Layer } from "effect"
import { Audit } from "../Audit.ts"
import { AuditSpool } from "../AuditSpool.ts"

/** The audit of a service on the test's database. Reads stay in a spool of its own. */
export const layerTestAudit = Audit.layer.pipe(
  Layer.provideMerge(Layer.unwrap(Effect.map(temporaryFolder(), (folder) => AuditSpool.layer(folder))))
)
