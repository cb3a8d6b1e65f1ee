import { temporaryFolder } from "@care/service-kit/testing"
import { Context, Effect, Layer } from "effect"
import { Audit } from "../Audit.ts"
import { AuditOutbox } from "../AuditOutbox.ts"

/** Makes the audit and the outbox of a process of its own, in a folder of its own or in the given one. */
export const makeOwnAudit = Effect.fnUntraced(function* (folder?: string, mostBytes?: number) {
  const outbox = Layer.fresh(AuditOutbox.layer(folder ?? (yield* temporaryFolder()), mostBytes))
  const context = yield* Layer.build(Layer.provideMerge(Layer.fresh(Audit.layer), outbox))
  return [Context.get(context, Audit), Context.get(context, AuditOutbox)] as const
})
