import { CasesApi } from "@care/domain/cases"
import { Partner } from "@care/domain/http"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { FileContents } from "../../documents/index.ts"
import { writeCase } from "./fast/writeCase.ts"
import { Reading } from "./Reading.ts"

export const ReadingHandlers = HttpApiBuilder.group(
  CasesApi,
  "reading",
  Effect.fnUntraced(function* (handlers) {
    const reading = yield* Reading
    const contents = yield* FileContents
    return handlers.handleAll({
      caseDetail: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Partner
        const caseDetail = yield* reading.detail(organizationId, query)
        return yield* contents.answer(organizationId, writeCase(caseDetail))
      }),
      latestCaseId: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Partner
        const id = yield* reading.latestCaseId(organizationId, query)
        return { case: { id } }
      })
    })
  })
)
