import { randomUUID } from "node:crypto"
import { CaseId, DocumentId, OrganizationId, UserId } from "@care/domain/ids"
import { Egress } from "@care/service-kit"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { Documents } from "../documents/Documents.ts"
import type { DocumentRow } from "../documents/DocumentsRepo.ts"
import { makeAttachPrescriptions } from "./attachPrescriptions.ts"

it.effect("slow files occupy a slot for a minute, and those that are stored by then are not downloaded again", () => {
  const stored = new Map<string, DocumentRow>()
  const downloaded: Array<string> = []
  const layerFiles = Layer.merge(
    Layer.mock(Documents, {
      find: (_organizationId, id) => Effect.succeed(Option.fromNullishOr(stored.get(id))),
      attach: ({ file, id = DocumentId.make(randomUUID()), ...document }) =>
        Effect.sync(() => {
          const { contentType, fileName } = file
          const row = { ...document, id, commentId: null, fileName, contentType, size: 1, uploadedAt: new Date(0) }
          stored.set(id, row)
          return row
        })
    }),
    Layer.mock(Egress, {
      fetch: () => Promise.reject(new Error("Only downloads are expected")),
      download: (url) =>
        Effect.delay(
          Effect.sync(() => {
            downloaded.push(url)
            return { bytes: Buffer.from("%PDF-1.7\n"), contentType: undefined }
          }),
          "25 seconds"
        )
    })
  )
  const target = {
    organizationId: OrganizationId.make(randomUUID()),
    caseId: CaseId.make(randomUUID()),
    uploadedBy: UserId.make(randomUUID())
  }
  const files = ["a", "b", "c", "d"].map((url, item) => ({ id: DocumentId.make(randomUUID()), item, url }))

  return Effect.gen(function* () {
    const attach = yield* makeAttachPrescriptions
    const first = yield* Effect.forkChild(Effect.flip(attach(target, files)))
    yield* TestClock.adjust("1 minute")
    const late = { _tag: "PrescriptionFailed", reason: "The documents take too long", isRetryable: true } as const
    assert.deepInclude(yield* Fiber.join(first), late)
    assert.deepStrictEqual(downloaded, ["a", "b"])
    const second = yield* Effect.forkChild(attach(target, files))
    yield* TestClock.adjust("1 minute")
    yield* Fiber.join(second)
    assert.deepStrictEqual(downloaded, ["a", "b", "c", "d"])
  }).pipe(Effect.provide(layerFiles))
})
