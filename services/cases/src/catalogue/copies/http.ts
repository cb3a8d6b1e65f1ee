import { CasesApi } from "@care/domain/cases"
import { TestKeyNeeded } from "@care/domain/http"
import { inTransaction, Time } from "@care/service-kit"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { SqlClient } from "effect/sql"
import { makeCatalogueCopiesRepo } from "./CatalogueCopiesRepo.ts"

/** Copies the catalogue of a live organization into the sandbox for which the caller works, never the other way. */
export const CatalogueCopiesHandlers = HttpApiBuilder.group(
  CasesApi,
  "catalogueCopies",
  Effect.fnUntraced(function* (handlers) {
    const repo = yield* makeCatalogueCopiesRepo
    const sql = yield* SqlClient.SqlClient
    return handlers.handleAll({
      copy: Effect.fnUntraced(function* ({ payload }) {
        const test = yield* Time.TestOrganization
        if (test === undefined) return yield* Effect.die(new TestKeyNeeded())
        yield* inTransaction(sql)(repo.copy(payload.liveOrganizationId, test.organizationId))
        return {}
      })
    })
  })
)
