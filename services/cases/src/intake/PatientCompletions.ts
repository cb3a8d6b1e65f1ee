import { AuthApi } from "@care/domain/auth"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { peer } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { Cases } from "../case/index.ts"

const text = Schema.optional(Schema.String)

const Told = Schema.Struct({
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
 * Fills the record of a patient who existed before with what a case's intake told in addition, and gives it another name that
 * the case told, unless one was told later or the profile is locked, as UPDATE_PROFILE would. It is a job committed with
 * the case, so that a refused creation changes nobody's record. A fresh record may be of an intake that was refused since,
 * because this case is the patient's: if it is the only one, what it was told takes the record's place.
 */
export class PatientCompletions extends Job.make<PatientCompletions>()("patient-completion", {
  version: 1,
  schema: Schema.Struct({
    organizationId: OrganizationId,
    userId: UserId,
    caseId: CaseId,
    patient: Schema.optional(Told),
    passwordHash: text,
    isFresh: Schema.Boolean,
    /** False when nothing but the name is new. */
    fills: Schema.Boolean,
    /** When the case told another name than the record had then. */
    nameToldAt: Schema.optional(Schema.Date)
  }),
  retries: Job.forThreeDays,
  concurrency: 2
}) {
  static readonly layerWorker = PatientCompletions.worker(
    Effect.gen(function* () {
      const auth = yield* peer(AuthApi, "directory")
      const cases = yield* Cases

      // A later case knows the name better, and the case itself may be given to a provider by now.
      const mayRename = Effect.fnUntraced(function* (organizationId: OrganizationId, userId: UserId, caseId: CaseId) {
        if (yield* cases.hasNewer(organizationId, userId, caseId)) return false
        return !(yield* cases.locksProfile(organizationId, userId, caseId))
      })

      return Effect.fnUntraced(function* ({ caseId, fills, isFresh, nameToldAt: since, ...told }) {
        const { organizationId, passwordHash, userId } = told
        const nameToldAt = since !== undefined && (yield* mayRename(organizationId, userId, caseId)) ? since : undefined
        const patient = fills || nameToldAt !== undefined ? told.patient : undefined
        if (patient === undefined && passwordHash === undefined) return
        const isFirst = isFresh && !(yield* cases.hasOther(organizationId, userId, caseId))
        yield* auth.completePatient({ payload: { ...told, patient, isFirst, nameToldAt } })
      })
    })
  )
}
