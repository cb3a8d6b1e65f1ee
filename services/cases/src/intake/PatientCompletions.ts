import { AuthApi } from "@care/domain/auth"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { Job, peer } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { Cases } from "../lifecycle/Cases.ts"

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
 * Fills the record of a patient who existed before with what a case's intake told in addition. It is a job committed with
 * the case, so that a refused creation changes nobody's record. A fresh record may be of an intake that was refused since,
 * because this case is the patient's: if it is the only one, what it was told takes the record's place.
 */
export class PatientCompletions extends Job.make<PatientCompletions>()("patient-completion", {
  version: 2,
  schema: Schema.Struct({
    organizationId: OrganizationId,
    userId: UserId,
    caseId: CaseId,
    patient: Schema.optional(Told),
    passwordHash: text,
    isFresh: Schema.Boolean
  }),
  retries: Job.forThreeDays,
  concurrency: 2
}) {
  static readonly layerWorker = PatientCompletions.worker(
    Effect.gen(function* () {
      const auth = yield* peer(AuthApi, "directory")
      const cases = yield* Cases
      return Effect.fnUntraced(function* ({ caseId, isFresh, ...completion }) {
        const { organizationId, userId } = completion
        const isFirst = isFresh && !(yield* cases.hasOther(organizationId, userId, caseId))
        yield* auth.completePatient({ payload: { ...completion, isFirst } })
      })
    })
  )
}
