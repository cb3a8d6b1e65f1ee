import { randomUUID } from "node:crypto"
import { Audit } from "@care/audit"
import type { StaffUnknown } from "@care/domain/auth"
import type {
  BreakGlass,
  BreakGlassQuery,
  CaseNotFound,
  NewBreakGlass,
  UserNotInOrganization
} from "@care/domain/cases"
import type { RequestInvalid, StaffRefused } from "@care/domain/http"
import type { CaseId } from "@care/domain/ids"
import { inTransaction, newest, organizationScope, type Page, pageFrom, Time } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Cases, inOwnName, People } from "../../case/index.ts"
import { breakGlassOf, makeBreakGlassRepo } from "./BreakGlassRepo.ts"

const openMillis = 60 * 60 * 1000

/** Accesses of providers to cases that are not theirs. */
export class BreakGlasses extends Context.Service<
  BreakGlasses,
  {
    /** Opens a case to a member of its organization's staff for an hour, and records it. */
    readonly open: (
      caseId: CaseId,
      request: NewBreakGlass
    ) => Effect.Effect<BreakGlass, CaseNotFound | UserNotInOrganization | StaffUnknown | RequestInvalid | StaffRefused>
    /** Newest first. */
    readonly list: (query: BreakGlassQuery) => Effect.Effect<Page<BreakGlass>>
  }
>()("@care/cases/breakGlass/BreakGlasses") {
  static readonly layer = Layer.effect(
    BreakGlasses,
    Effect.gen(function* () {
      const audit = yield* Audit
      const cases = yield* Cases
      const people = yield* People
      const repo = yield* makeBreakGlassRepo
      const sql = yield* SqlClient.SqlClient

      return BreakGlasses.of({
        open: Effect.fn("BreakGlasses.open")(function* (caseId, { reason, userId: named }) {
          const { organizationId, userId: patientId } = yield* cases.findAny(caseId)
          const { id: openedFor } = yield* people.staff(organizationId, yield* inOwnName("userId", named))
          const createdAt = yield* Time.nowAsDate
          const expiresAt = new Date(createdAt.getTime() + openMillis)
          const access = { id: randomUUID(), organizationId, caseId, openedFor, reason, createdAt, expiresAt }
          const store = Effect.gen(function* () {
            yield* repo.insert(yield* cases.keyOf(organizationId, caseId), access)
            yield* audit.changed({ organizationId, action: "GLASS_BROKEN", caseId, userId: patientId })
          })
          yield* inTransaction(sql)(store)
          return breakGlassOf(access)
        }),

        list: Effect.fn("BreakGlasses.list")(function* ({ cursor = newest, limit, organizationId }) {
          const scope = (yield* organizationScope) ?? organizationId
          const { data, nextCursor } = pageFrom(yield* repo.newest(scope, cursor, limit + 1), limit)
          yield* audit.listed(
            "CASE_FOUND",
            data.map(({ caseId, organizationId }) => ({ caseId, organizationId, userId: null })),
            ["CASES"]
          )
          return { data: data.map(breakGlassOf), nextCursor }
        })
      })
    })
  ).pipe(Layer.provide(Cases.layer))
}
