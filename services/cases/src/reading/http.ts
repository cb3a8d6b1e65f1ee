import { CasesApi, ReadCase } from "@care/domain/cases"
import { Partner } from "@care/domain/http"
import { encodeDirectly } from "@care/service-kit"
import { Effect, Schema } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { FileContents } from "../documents/FileContents.ts"
import { Reading } from "./Reading.ts"

const encodeCase = encodeDirectly(Schema.toCodecJson(ReadCase))

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
        const encoded = yield* Effect.orDie(encodeCase({ caseDetail }))
        return yield* contents.answer(organizationId, JSON.stringify(encoded))
      }),
      latestCaseId: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Partner
        const id = yield* reading.latestCaseId(organizationId, query)
        return { case: { id } }
      })
    })
  })
)
