import { directoryApi } from "@care/domain/auth"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { peer } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { Cases } from "../case/index.ts"

const optionalText = Schema.optional(Schema.String)

const ReportedPatient = Schema.Struct({
  email: Schema.String,
  firstName: Schema.String,
  lastName: Schema.String,
  phoneNumber: optionalText,
  dob: optionalText,
  gender: Schema.optional(Schema.Literals(["MALE", "FEMALE", "OTHER"])),
  languagePreferences: Schema.optional(Schema.Array(Schema.String)),
  address: Schema.optional(
    Schema.Struct({
      addressLine1: optionalText,
      addressLine2: optionalText,
      city: optionalText,
      state: optionalText,
      country: optionalText,
      postalCode: optionalText
    })
  )
})

/**
 * Completes the record of an existing patient with what a new case reported. A new name replaces the old one, unless a later one was
 * reported or the profile is locked, as for UPDATE_PROFILE. The job is committed with the case, so that a refused creation changes
 * no record. A fresh record may come from a creation that was refused: if this is the patient's only case, its data replaces the record.
 */
export class PatientCompletions extends Job.make<PatientCompletions>()("patient-completion", {
  version: 1,
  schema: Schema.Struct({
    organizationId: OrganizationId,
    userId: UserId,
    caseId: CaseId,
    patient: Schema.optional(ReportedPatient),
    passwordHash: optionalText,
    isFresh: Schema.Boolean,
    /** False when nothing but the name is new. */
    fills: Schema.Boolean,
    /** When the case reported another name than the record had. */
    nameReportedAt: Schema.optional(Schema.Date)
  }),
  retries: Job.forThreeDays,
  concurrency: 2
}) {
  static readonly layerWorker = PatientCompletions.worker(
    Effect.gen(function* () {
      const auth = yield* peer(directoryApi, "directory")
      const cases = yield* Cases

      // The name of a newer case counts, and a case that was assigned meanwhile locks the profile.
      const mayRename = Effect.fnUntraced(function* (organizationId: OrganizationId, userId: UserId, caseId: CaseId) {
        if (yield* cases.hasNewer(organizationId, userId, caseId)) return false
        return !(yield* cases.locksProfile(organizationId, userId, caseId))
      })

      return Effect.fnUntraced(function* ({ caseId, fills, isFresh, nameReportedAt: reportedAt, ...completion }) {
        const { organizationId, passwordHash, userId } = completion
        const nameReportedAt =
          reportedAt !== undefined && (yield* mayRename(organizationId, userId, caseId)) ? reportedAt : undefined
        const patient = fills || nameReportedAt !== undefined ? completion.patient : undefined
        if (patient === undefined && passwordHash === undefined) return
        const isFirst = isFresh && !(yield* cases.hasOther(organizationId, userId, caseId))
        yield* auth.completePatient({ payload: { ...completion, patient, isFirst, nameReportedAt } })
      })
    })
  )
}
