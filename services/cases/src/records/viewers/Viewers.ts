import type { CaseNotFound, CaseViewers } from "@care/domain/cases"
import { StaffRefused } from "@care/domain/http"
import type { CaseId } from "@care/domain/ids"
import { currentStaff } from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { Cases, People } from "../../case/index.ts"
import { makeViewersRepo } from "./ViewersRepo.ts"

// Whoever was not seen for so long is gone.
const goneAfter = { seconds: 30 }

const signedIn = Effect.gen(function* () {
  return (yield* currentStaff) ?? (yield* new StaffRefused({ reason: "Only a signed-in person looks at a case." }))
})

/** Who looks at cases at this moment. */
export class Viewers extends Context.Service<
  Viewers,
  {
    /** Notes that the signed-in person looks at a case, and returns who else does, and the number of its newest activity. An operator is not noted. */
    readonly look: (caseId: CaseId) => Effect.Effect<CaseViewers, CaseNotFound | StaffRefused>
    /** Notes that the signed-in person looks at a case no longer. */
    readonly leave: (caseId: CaseId) => Effect.Effect<void, CaseNotFound | StaffRefused>
  }
>()("@care/cases/viewers/Viewers") {
  static readonly layer = Layer.effect(
    Viewers,
    Effect.gen(function* () {
      const cases = yield* Cases
      const people = yield* People
      const repo = yield* makeViewersRepo

      return Viewers.of({
        look: Effect.fn("Viewers.look")(function* (caseId) {
          const { role, userId } = yield* signedIn
          const organizationId = yield* cases.organizationOf(caseId)
          const now = yield* DateTime.now
          const gone = DateTime.toDateUtc(DateTime.subtract(now, goneAfter))
          if (role !== "OPERATOR") yield* repo.see(organizationId, caseId, userId, DateTime.toDateUtc(now), gone)
          const others = yield* repo.others(organizationId, caseId, userId, gone)
          const known = yield* people.summaries(
            organizationId,
            others.map(({ viewerId }) => viewerId)
          )
          return {
            lastChange: yield* repo.lastChange(organizationId, caseId),
            data: others.flatMap(({ since, viewerId }) => {
              const person = known.get(viewerId)
              return person === undefined
                ? []
                : [{ userId: viewerId, firstName: person.firstName, lastName: person.lastName, since }]
            })
          }
        }),

        leave: Effect.fn("Viewers.leave")(function* (caseId) {
          const { userId } = yield* signedIn
          yield* repo.leave(yield* cases.organizationOf(caseId), caseId, userId)
        })
      })
    })
  ).pipe(Layer.provide(Cases.layer))
}
