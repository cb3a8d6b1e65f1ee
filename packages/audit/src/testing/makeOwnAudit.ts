import { temporaryFolder } from "@care/service-kit/testing"
import { Context, Effect, Layer } from "effect"
import { Audit } from "../Audit.ts"
import { AuditOutbox } from "../AuditOutbox.ts"

/** Makes an audit and an outbox as another process has them, in a new folder or in the given one. */
export const makeOwnAudit = Effect.fnUntraced(function* (folder?: string, maxBytes?: number) {
  const outbox = Layer.fresh(AuditOutbox.layer(folder ?? (yield* temporaryFolder()), maxBytes))
  const context = yield* Layer.build(Layer.provideMerge(Layer.fresh(Audit.layer), outbox))
  return [Context.get(context, Audit), Context.get(context, AuditOutbox)] as const
})
