import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { type OrganizationId, UserId } from "@care/domain/ids"
import { PhiCipher } from "@care/phi"
import { layerHttpClient } from "@care/service-kit"
import { layerTestConfig } from "@care/service-kit/testing"
import { ConfigProvider, Duration, Effect, Layer } from "effect"
import { AuthSettings } from "../src/AuthSettings.ts"
import { OrganizationReplication } from "../src/organizations/OrganizationReplication.ts"
import { Organizations } from "../src/organizations/Organizations.ts"
import { SandboxCatalogues } from "../src/organizations/SandboxCatalogues.ts"
import { PersonReplication } from "../src/people/PersonReplication.ts"
import { Patients } from "../src/people/patients/Patients.ts"
import { AccessTokens } from "../src/signIn/sessions/AccessTokens.ts"

/** Provides the documented default settings, with the changes of a test. */
export const layerSettings = (changes: Partial<AuthSettings["Service"]> = {}) =>
  Layer.succeed(AuthSettings, {
    codeLifetime: Duration.minutes(5),
    codeMaxAttempts: 5,
    codeResendInterval: Duration.seconds(30),
    codeMaxPerHour: 10,
    codeMaxPerDay: 30,
    codeMaxWrongPerDay: 20,
    noticesPerDay: 30,
    staffSessionLifetime: Duration.hours(12),
    staffIdleTime: Duration.minutes(30),
    publicUrl: "http://localhost:8080",
    smtpUrl: undefined,
    smsApiUrl: undefined,
    ...changes
  })

/** Provides the configuration of a process of the auth service. */
export const layerConfig = Layer.mergeAll(
  ConfigProvider.layer(
    ConfigProvider.fromUnknown({ JWT_SECRET: "s".repeat(64), PHI_KEY: `k1:${Buffer.alloc(32).toString("base64")}` })
  ),
  layerTestConfig({ name: "auth" })
)

const layerNoReplication = Layer.mergeAll(
  Layer.mock(OrganizationReplication, { changed: () => Effect.void }),
  Layer.mock(PersonReplication, { changed: () => Effect.void }),
  Layer.mock(SandboxCatalogues, { copy: () => Effect.void })
)

/** Provides what the features of the auth service need, with a database of its own. */
export const layerBase = Layer.mergeAll(
  Layer.merge(Organizations.layer, Patients.layer).pipe(Layer.provideMerge(layerNoReplication)),
  AccessTokens.layer,
  PhiCipher.layer,
  layerHttpClient
).pipe(Layer.provideMerge(layerAuditedDatabase("auth")), Layer.provideMerge(layerConfig))

let patients = 0

const newPatient = () => {
  patients += 1
  return {
    email: `patient.${patients}@example.com`,
    phoneNumber: `+1415${2_100_000 + patients}`,
    firstName: "Maria",
    lastName: "Lopez"
  }
}

/** Enrolls a patient of an organization. */
export const enrollPatient = Effect.fnUntraced(function* (organizationId: OrganizationId, patient = newPatient()) {
  const enrolled = yield* (yield* Patients)
    .enroll({ organizationId, newUserId: UserId.make(randomUUID()), patient })
    .pipe(Effect.orDie)
  return { organizationId, userId: enrolled.patient.person.id, patient }
})

/** Creates an organization with a patient. */
export const makePatient = Effect.gen(function* () {
  const { id } = yield* (yield* Organizations).create("Test clinic")
  return yield* enrollPatient(id)
})
