import { AuthApi } from "@care/domain/auth"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { peer } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { Cases } from "../case/index.ts"

const text = Schema.optional(Schema.String)

const ReportedPatient = Schema.Struct({
  email: Schema.String,
  firstName: Schema.String,
  lastName: Schema.String,
  phoneNumber: text,
  dob: text,
  gender: Schema.optional(Schema.Literals(["MALE", "FEMALE", "OTHER"])),
  languagePreferences: Schema.optional(Schema.Array(Schema.String)),
  address: Schema.optional(
    Schema.Struct({
      addressLine1: text,
      addressLine2: text,
      city: text,
      state: text,
      country: text,
      postalCode: text
    })
  )
})

/**
 * Adds to the record of an existing patient what a case reported in addition. A new name replaces the old one, unless a later one was
 * reported or the profile is locked, as for UPDATE_PROFILE. The job is committed with the case, so that a refused creation changes
 * no record. A fresh record may come from a creation that was refused: if this is the only case, its data replaces the record.
 */
export class PatientCompletions extends Job.make<PatientCompletions>()("patient-completion", {
  version: 1,
  schema: Schema.Struct({
    organizationId: OrganizationId,
    userId: UserId,
    caseId: CaseId,
    patient: Schema.optional(ReportedPatient),
    passwordHash: text,
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
      const auth = yield* peer(AuthApi, "directory")
      const cases = yield* Cases

      // A later case knows the name better, and the case may be assigned by now, which locks the profile.
      const mayRename = Effect.fnUntraced(function* (organizationId: OrganizationId, userId: UserId, caseId: CaseId) {
        if (yield* cases.hasNewer(organizationId, userId, caseId)) return false
        return !(yield* cases.locksProfile(organizationId, userId, caseId))
      })

      return Effect.fnUntraced(function* ({ caseId, fills, isFresh, nameReportedAt: since, ...rest }) {
        const { organizationId, passwordHash, userId } = rest
        const nameReportedAt =
          since !== undefined && (yield* mayRename(organizationId, userId, caseId)) ? since : undefined
        const patient = fills || nameReportedAt !== undefined ? rest.patient : undefined
        if (patient === undefined && passwordHash === undefined) return
        const isFirst = isFresh && !(yield* cases.hasOther(organizationId, userId, caseId))
        yield* auth.completePatient({ payload: { ...rest, patient, isFirst, nameReportedAt } })
      })
    })
  )
}
