import { AuthApi } from "@care/domain/auth"
import { Effect, Option } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { PatientErasures } from "../erasure/index.ts"
import { ApiKeys, Sandboxes } from "../keys/index.ts"
import { Organizations } from "../organizations/index.ts"
import { makeUsersRepo, Patients, Providers, UserSnapshots } from "../people/index.ts"
import { profileOf } from "../profiles/index.ts"
import { Incidents } from "../staff/index.ts"

// The status page shows those of the last 90 days.
const shownIncidents = 100

export const DirectoryHandlers = HttpApiBuilder.group(
  AuthApi,
  "directory",
  Effect.fnUntraced(function* (handlers) {
    const incidents = yield* Incidents
    const keys = yield* ApiKeys
    const organizations = yield* Organizations
    const erasures = yield* PatientErasures
    const patients = yield* Patients
    const people = yield* UserSnapshots
    const providers = yield* Providers
    const sandboxes = yield* Sandboxes
    const users = yield* makeUsersRepo
    return handlers.handleAll({
      resolveKey: ({ payload }) => keys.resolve(payload.keyHash),
      countOrganizations: () => Effect.map(organizations.count, (count) => ({ count })),
      organization: ({ params }) => organizations.get(params.organizationId),
      incidents: () => Effect.map(incidents.list({ limit: shownIncidents }), ({ data }) => data),
      enrollPatients: ({ payload }) => patients.enrollAll(payload),
      completePatient: ({ payload }) => patients.complete(payload),
      patientOwner: ({ params, query }) =>
        Effect.map(erasures.ownerOf(params.userId, query.organizationId), (organizationId) => ({ organizationId })),
      patientProfile: ({ params }) =>
        Effect.map(users.findById(params.organizationId, params.userId), (user) => ({
          profile: Option.match(user, { onNone: () => null, onSome: profileOf })
        })),
      patientAddress: ({ params }) =>
        Effect.map(patients.address(params.organizationId, params.userId), (reported) => ({ reported })),
      prescriber: ({ payload }) => providers.prescriber(payload.organizationId, payload.userId),
      findUser: ({ payload }) =>
        Effect.map(users.findAnywhere(payload), (found) => ({
          createdAt: Option.match(found, { onNone: () => null, onSome: ({ createdAt }) => createdAt })
        })),
      people: ({ payload }) => people.find(payload.organizationId, payload.userIds),
      peopleByEmail: ({ payload }) => people.findByEmail(payload.organizationId, payload.emails),
      providers: ({ params }) => people.providers(params.organizationId),
      requireProvider: ({ params }) => sandboxes.requireProvider(params.organizationId)
    })
  })
)
