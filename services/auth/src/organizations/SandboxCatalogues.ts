import { catalogueCopiesApi } from "@care/domain/cases"
import { OrganizationId } from "@care/domain/ids"
import { Job, makeOfferAtOnce } from "@care/jobs"
import { makeModes, peer } from "@care/service-kit"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { makeOrganizationsRepo } from "./OrganizationsRepo.ts"

// Not `organizationId`: the job is not one of the sandbox, whose jobs a reset removes.
const schema = Schema.Struct({ sandboxId: OrganizationId })

class Copies extends Job.make<Copies>()("catalogue-copy", {
  version: 1,
  schema,
  retries: Job.forThreeDays,
  concurrency: 4
}) {}

const makeSend = Effect.gen(function* () {
  const cases = yield* peer(catalogueCopiesApi, "catalogueCopies")
  const { workFor } = yield* makeModes
  const repo = yield* makeOrganizationsRepo
  return Effect.fnUntraced(function* ({ sandboxId }: typeof schema.Type) {
    const liveOrganizationId = Option.flatMapNullishOr(yield* repo.find(sandboxId), (found) => found.liveOrganizationId)
    if (Option.isNone(liveOrganizationId)) return
    yield* workFor(sandboxId, cases.copy({ payload: { liveOrganizationId: liveOrganizationId.value } }))
  })
})

/** The catalogues of sandboxes, which begin as copies of those of their live organizations. */
export class SandboxCatalogues extends Context.Service<
  SandboxCatalogues,
  {
    /**
     * Adds what is new in the catalogue of the live organization. In a transaction it happens after the commit, before the change is answered,
     * or soon after by a job.
     */
    readonly copy: (sandboxId: OrganizationId) => Effect.Effect<void>
  }
>()("@care/auth/organizations/SandboxCatalogues") {
  static readonly layer = Layer.effect(
    SandboxCatalogues,
    Effect.gen(function* () {
      const offer = makeOfferAtOnce("catalogue-copy", yield* Copies, yield* makeSend)
      return SandboxCatalogues.of({ copy: (sandboxId) => offer({ sandboxId }) })
    })
  ).pipe(Layer.provide(Copies.layer))

  static readonly layerWorker = Copies.worker(makeSend)
}
