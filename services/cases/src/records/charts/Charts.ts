import { Audit } from "@care/audit"
import type { DataKind } from "@care/domain/audit"
import { type CaseNotFound, type CasePatient, DocumentNotFound } from "@care/domain/cases"
import type { StaffRefused } from "@care/domain/http"
import type { CaseId, DocumentId } from "@care/domain/ids"
import { Context, Effect, Layer, Option } from "effect"
import { answersRefused, Cases, Directory, makeMayReadAnswers } from "../../case/index.ts"
import { Documents, type OpenedDocument } from "../../documents/index.ts"

/** The patients and the files of cases, as the care team reads them. */
export class Charts extends Context.Service<
  Charts,
  {
    /** Returns the patient of a case, or null for one who was removed. */
    readonly patient: (caseId: CaseId) => Effect.Effect<CasePatient | null, CaseNotFound>
    /** Returns a file of a case. Its contents are read piece by piece. */
    readonly file: (
      caseId: CaseId,
      documentId: DocumentId
    ) => Effect.Effect<OpenedDocument, CaseNotFound | DocumentNotFound | StaffRefused>
  }
>()("@care/cases/charts/Charts") {
  static readonly layer = Layer.effect(
    Charts,
    Effect.gen(function* () {
      const audit = yield* Audit
      const cases = yield* Cases
      const directory = yield* Directory
      const documents = yield* Documents
      const mayReadAnswers = yield* makeMayReadAnswers

      const kindsOf = (kind: DataKind, glassBrokenUntil: Date | null): ReadonlyArray<DataKind> =>
        glassBrokenUntil === null ? [kind] : [kind, "BREAK_GLASS"]

      return Charts.of({
        patient: Effect.fn("Charts.patient")(function* (caseId) {
          const { glassBrokenUntil, organizationId, userId } = yield* cases.findOwner(caseId)
          const profile = yield* directory.patientProfile(organizationId, userId)
          const kinds = kindsOf("PROFILE", glassBrokenUntil)
          if (profile !== null) yield* audit.read({ organizationId, action: "PROFILE_READ", caseId, userId, kinds })
          return profile
        }),

        file: Effect.fn("Charts.file")(function* (caseId, documentId) {
          const { glassBrokenUntil, organizationId, userId } = yield* cases.findOwner(caseId)
          if (!(yield* mayReadAnswers(organizationId))) return yield* answersRefused()
          const found = Option.filter(
            yield* documents.find(organizationId, documentId),
            (file) => file.caseId === caseId
          )
          if (Option.isNone(found)) return yield* new DocumentNotFound({ documentId })
          const kinds = kindsOf("DOCUMENTS", glassBrokenUntil)
          yield* audit.read({ organizationId, action: "DOCUMENT_READ", caseId, userId, kinds })
          return yield* documents.open(found.value)
        })
      })
    })
  ).pipe(Layer.provide([Cases.layer, Documents.layer]))
}
