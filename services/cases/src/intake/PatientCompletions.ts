import { AuthApi } from "@care/domain/auth"
import { OrganizationId, UserId } from "@care/domain/ids"
import { Job, peer } from "@care/service-kit"
import { Effect, Schema } from "effect"

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
 * the case, so that a refused creation changes nobody's record.
 */
export class PatientCompletions extends Job.make<PatientCompletions>()("patient-completion", {
  version: 1,
  schema: Schema.Struct({
    organizationId: OrganizationId,
    userId: UserId,
    patient: Schema.optional(Told),
    passwordHash: text
  }),
  attempts: 20,
  concurrency: 2
}) {
  static readonly layerWorker = PatientCompletions.worker(
    Effect.map(peer(AuthApi, "directory"), (auth) => (payload) => auth.completePatient({ payload }))
  )
}
