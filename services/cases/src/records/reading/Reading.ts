import { Audit } from "@care/audit"
import type { DataKind } from "@care/domain/audit"
import type { PatientIdentifier } from "@care/domain/auth"
import {
  type AdminCase,
  type CaseDetail,
  type CaseDetailQuery,
  CaseForbidden,
  CaseNotFound,
  CustomerMissing,
  maxListed
} from "@care/domain/cases"
import { CaseId, type OrganizationId } from "@care/domain/ids"
import { newest } from "@care/service-kit"
import { Array as Arr, Context, Effect, Layer, Option, Schema } from "effect"
import { Cases } from "../../case/index.ts"
import { Escalations } from "../../escalations/index.ts"
import { FormResponses } from "../../intake/index.ts"
import { type CaseParts, CaseView } from "./CaseView.ts"
import { makeFindCase } from "./makeFindCase.ts"
import { type CaseWithLists, type Customer, makeReadingRepo } from "./ReadingRepo.ts"

const everything: CaseParts = { files: "url", calendarEvents: true, orders: true }

const shownAlways = ["CASES", "PROFILE", "COMMENTS", "DECISIONS"] as const

const kindsOf = ({ calendarEvents, files, orders }: CaseParts): ReadonlyArray<DataKind> => [
  ...shownAlways,
  ...(files === "none" ? [] : (["DOCUMENTS"] as const)),
  ...(calendarEvents ? (["APPOINTMENTS"] as const) : []),
  ...(orders ? (["ORDERS"] as const) : [])
]

const decodeCaseId = Schema.decodeUnknownOption(CaseId)

/** Reads cases for partners and for the back office. */
export class Reading extends Context.Service<
  Reading,
  {
    readonly detail: (
      organizationId: OrganizationId,
      query: CaseDetailQuery
    ) => Effect.Effect<CaseDetail, CustomerMissing | CaseForbidden | CaseNotFound>
    readonly latestCaseId: (
      organizationId: OrganizationId,
      customer: PatientIdentifier
    ) => Effect.Effect<CaseId, CustomerMissing | CaseNotFound>
    readonly adminCase: (id: CaseId) => Effect.Effect<AdminCase, CaseNotFound>
  }
>()("@care/cases/reading/Reading") {
  static readonly layer = Layer.effect(
    Reading,
    Effect.gen(function* () {
      const audit = yield* Audit
      const repo = yield* makeReadingRepo
      const findCase = yield* makeFindCase(repo)
      const view = yield* CaseView
      const cases = yield* Cases
      const responses = yield* FormResponses
      const escalations = yield* Escalations

      const given = ({ email, phoneNumber }: PatientIdentifier): Effect.Effect<Customer, CustomerMissing> => {
        if (email !== undefined) return Effect.succeed({ email })
        return phoneNumber === undefined ? new CustomerMissing() : Effect.succeed({ phoneNumber })
      }

      const required = Effect.fromOption(() => new CaseNotFound())

      const recordRead = ({ id, organizationId, userId }: CaseWithLists, kinds: ReadonlyArray<DataKind>) =>
        audit.read({ organizationId, action: "CASE_READ", caseId: id, userId, kinds })

      const ownById = Effect.fnUntraced(function* (organizationId: OrganizationId, caseId: string) {
        const id = yield* required(decodeCaseId(caseId))
        const found = yield* findCase(organizationId, id)
        if (Option.isSome(found)) return found.value
        yield* cases.ownerOf(id)
        return yield* new CaseForbidden({ caseId: id })
      })

      return Reading.of({
        detail: Effect.fnUntraced(function* (organizationId, query) {
          const row =
            query.caseId === undefined
              ? yield* required(yield* repo.findNewest(organizationId, yield* given({ email: query.email })))
              : yield* ownById(organizationId, query.caseId)
          const parts: CaseParts = {
            files: query.includeAttachments === "true" ? (query.documentFormat ?? "base64") : "none",
            calendarEvents: query.includeCalendarEvents === "true",
            orders: query.includeOrders === "true"
          }
          const shown = yield* view.show(row, parts)
          yield* recordRead(row, kindsOf(parts))
          const { attachments, calendarEvents, comments, decisions, notes, orders, ...rest } = shown
          // In the order of the contract, because the JSON writer keeps it.
          return {
            ...rest,
            ...(parts.files !== "none" && { attachments }),
            comments,
            notes,
            decisions,
            ...(parts.calendarEvents && { calendarEvents }),
            ...(parts.orders && { orders })
          }
        }),
        latestCaseId: Effect.fnUntraced(function* (organizationId, customer) {
          const { id, userId } = yield* required(yield* repo.findNewestId(organizationId, yield* given(customer)))
          yield* audit.read({ organizationId, action: "CASE_FOUND", caseId: id, userId })
          return id
        }),
        adminCase: Effect.fnUntraced(function* (id) {
          const organizationId = yield* cases.ownerOf(id)
          const row = yield* required(Arr.head(yield* repo.findAll(organizationId, [id])))
          const [base, products, formResponses, escalated] = yield* Effect.all(
            [
              view.show(row, everything),
              repo.products(organizationId, id),
              responses.newest(organizationId, id, newest, maxListed),
              escalations.newest(organizationId, id, newest, maxListed)
            ],
            { concurrency: "unbounded" }
          )
          yield* recordRead(row, [...kindsOf(everything), "FORMS", "ESCALATIONS"])
          return {
            ...base,
            organizationId,
            isTest: row.isTest,
            archiveReason: row.archiveReason,
            archiveNote: row.archiveNote,
            products,
            formResponses: formResponses.toReversed(),
            escalations: escalated.toReversed()
          }
        })
      })
    })
  ).pipe(Layer.provide([Cases.layer, CaseView.layer, Escalations.layer, FormResponses.layer]))
}
