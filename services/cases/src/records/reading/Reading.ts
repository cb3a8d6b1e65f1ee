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
import { Cases, makeMayReadAnswers } from "../../case/index.ts"
import { Escalations } from "../../escalations/index.ts"
import { FormResponses } from "../../intake/index.ts"
import { type CaseParts, CaseView } from "./CaseView.ts"
import { makeFindCase } from "./makeFindCase.ts"
import { type CaseWithLists, type CustomerContact, makeReadingRepo } from "./ReadingRepo.ts"

const allParts: CaseParts = { files: "url", calendarEvents: true, orders: true }

const alwaysShown = ["CASES", "PROFILE", "COMMENTS", "DECISIONS"] as const

const kindsOf = ({ calendarEvents, files, orders }: CaseParts): ReadonlyArray<DataKind> => [
  ...alwaysShown,
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
    /** Returns a case that the caller has just moved, even if a provider has given it to another one. */
    readonly movedCase: (organizationId: OrganizationId, id: CaseId) => Effect.Effect<AdminCase, CaseNotFound>
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
      const mayReadAnswers = yield* makeMayReadAnswers

      const customerOf = ({
        email,
        phoneNumber
      }: PatientIdentifier): Effect.Effect<CustomerContact, CustomerMissing> => {
        if (email !== undefined) return Effect.succeed({ email })
        return phoneNumber === undefined ? new CustomerMissing() : Effect.succeed({ phoneNumber })
      }

      const orCaseNotFound = Effect.fromOption(() => new CaseNotFound())

      const recordRead = ({ id, organizationId, userId }: CaseWithLists, kinds: ReadonlyArray<DataKind>) =>
        audit.read({ organizationId, action: "CASE_READ", caseId: id, userId, kinds })

      const findOwn = Effect.fnUntraced(function* (organizationId: OrganizationId, caseId: string) {
        const id = yield* orCaseNotFound(decodeCaseId(caseId))
        const row = yield* findCase(organizationId, id)
        if (Option.isSome(row)) return row.value
        yield* cases.organizationOf(id)
        return yield* new CaseForbidden({ caseId: id })
      })

      const showToStaff = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        id: CaseId,
        glassBrokenUntil: Date | null
      ) {
        const row = yield* orCaseNotFound(Arr.head(yield* repo.findAll(organizationId, [id])))
        const hasAnswers = yield* mayReadAnswers(organizationId)
        const [base, products, formResponses, caseEscalations] = yield* Effect.all(
          [
            view.show(hasAnswers ? row : { ...row, files: [] }, allParts),
            repo.products(organizationId, id),
            hasAnswers ? responses.newest(organizationId, id, newest, maxListed) : Effect.succeed([]),
            escalations.newest(organizationId, id, newest, maxListed)
          ],
          { concurrency: "unbounded" }
        )
        yield* recordRead(row, [
          ...kindsOf(allParts),
          ...(hasAnswers ? (["FORMS"] as const) : []),
          "ESCALATIONS",
          ...(glassBrokenUntil === null ? [] : (["BREAK_GLASS"] as const))
        ])
        return {
          ...base,
          organizationId,
          isTest: row.isTest,
          archiveReason: row.archiveReason,
          archiveNote: row.archiveNote,
          products,
          formResponses: formResponses.toReversed(),
          answersHidden: !hasAnswers,
          glassBrokenUntil,
          escalations: caseEscalations.toReversed()
        }
      })

      return Reading.of({
        detail: Effect.fnUntraced(function* (organizationId, query) {
          const row =
            query.caseId === undefined
              ? yield* orCaseNotFound(yield* repo.findNewest(organizationId, yield* customerOf({ email: query.email })))
              : yield* findOwn(organizationId, query.caseId)
          const parts: CaseParts = {
            files: query.includeAttachments === "true" ? (query.documentFormat ?? "base64") : "none",
            calendarEvents: query.includeCalendarEvents === "true",
            orders: query.includeOrders === "true"
          }
          const caseView = yield* view.show(row, parts)
          yield* recordRead(row, kindsOf(parts))
          const { attachments, calendarEvents, comments, decisions, notes, orders, ...fields } = caseView
          // In the order of the contract, because the JSON writer keeps it.
          return {
            ...fields,
            ...(parts.files !== "none" && { attachments }),
            comments,
            notes,
            decisions,
            ...(parts.calendarEvents && { calendarEvents }),
            ...(parts.orders && { orders })
          }
        }),
        latestCaseId: Effect.fnUntraced(function* (organizationId, customer) {
          const { id, userId } = yield* orCaseNotFound(
            yield* repo.findNewestId(organizationId, yield* customerOf(customer))
          )
          yield* audit.read({ organizationId, action: "CASE_FOUND", caseId: id, userId })
          return id
        }),
        adminCase: Effect.fnUntraced(function* (id) {
          const { glassBrokenUntil, organizationId } = yield* cases.findOwner(id)
          return yield* showToStaff(organizationId, id, glassBrokenUntil)
        }),
        movedCase: (organizationId, id) => showToStaff(organizationId, id, null)
      })
    })
  ).pipe(Layer.provide([Cases.layer, CaseView.layer, Escalations.layer, FormResponses.layer]))
}
