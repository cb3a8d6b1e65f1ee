import { directoryApi, type MemberRole, type PersonSnapshot, StaffUnknown, type UserSummary } from "@care/domain/auth"
import { UserNotInOrganization } from "@care/domain/cases"
import type { OrganizationId, UserId } from "@care/domain/ids"
import type { PatientRef } from "@care/phi"
import { peer } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { makePeopleRepo } from "./PeopleRepo.ts"

/** The summaries of people, from replicated snapshots. Missing snapshots are fetched from auth. */
export class People extends Context.Service<
  People,
  {
    /** Stores a snapshot, unless an equally new one is stored. */
    readonly keep: (snapshot: PersonSnapshot) => Effect.Effect<void>
    /** Replaces the names and contacts of an erased patient, before auth's snapshot does. */
    readonly erase: (patient: PatientRef) => Effect.Effect<void>
    readonly hasProviders: (organizationId: OrganizationId) => Effect.Effect<boolean>
    /** Returns the summaries of users by id, without unknown users. Those in `known` are not read again. */
    readonly summaries: (
      organizationId: OrganizationId,
      userIds: ReadonlyArray<UserId>,
      known?: ReadonlyArray<UserSummary>
    ) => Effect.Effect<ReadonlyMap<UserId, UserSummary>>
    /** Returns the summary of a user of the organization. */
    readonly summary: (
      organizationId: OrganizationId,
      userId: UserId
    ) => Effect.Effect<UserSummary, UserNotInOrganization>
    /** Returns the summary of an active member of the organization's staff. */
    readonly staff: (
      organizationId: OrganizationId,
      userId: UserId
    ) => Effect.Effect<UserSummary, UserNotInOrganization | StaffUnknown>
    /** Returns the ids of an organization's active members with a role, by email. */
    readonly members: (
      organizationId: OrganizationId,
      role: MemberRole,
      emails: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, UserId>>
  }
>()("@care/cases/people/People") {
  static readonly layer = Layer.effect(
    People,
    Effect.gen(function* () {
      const auth = yield* peer(directoryApi, "directory")
      const repo = yield* makePeopleRepo

      const keepAll = Effect.fnUntraced(function* (snapshots: ReadonlyArray<PersonSnapshot>) {
        yield* Effect.forEach(snapshots, repo.keep, { discard: true })
        return snapshots.map(({ person }) => person)
      })

      const fetch = Effect.fn("People.fetch")(function* (
        organizationId: OrganizationId,
        userIds: ReadonlyArray<UserId>
      ) {
        return yield* keepAll(yield* Effect.orDie(auth.people({ payload: { organizationId, userIds } })))
      })

      const fetchActive = Effect.fn("People.fetchActive")(function* (
        organizationId: OrganizationId,
        role: MemberRole,
        emails: ReadonlyArray<string>
      ) {
        const people = yield* keepAll(yield* Effect.orDie(auth.peopleByEmail({ payload: { organizationId, emails } })))
        return people.filter((person) => person.role === role && person.isActive)
      })

      const summaries = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        userIds: ReadonlyArray<UserId>,
        known: ReadonlyArray<UserSummary> = []
      ) {
        const people = new Map(known.map((person) => [person.id, person]))
        for (const lookUp of [repo.find, fetch]) {
          const missing = [...new Set(userIds)].filter((id) => !people.has(id))
          if (missing.length === 0) break
          for (const person of yield* lookUp(organizationId, missing)) people.set(person.id, person)
        }
        return people
      })

      const summary = Effect.fnUntraced(function* (organizationId: OrganizationId, userId: UserId) {
        const person = (yield* summaries(organizationId, [userId])).get(userId)
        return person ?? (yield* new UserNotInOrganization({ userId }))
      })

      return People.of({
        keep: repo.keep,
        erase: repo.erase,
        hasProviders: repo.hasProviders,
        summaries,
        summary,
        staff: (organizationId, userId) =>
          Effect.filterOrFail(
            summary(organizationId, userId),
            ({ isActive, role }) => isActive && role !== "USER",
            () => new StaffUnknown({ userId })
          ),
        members: Effect.fnUntraced(function* (organizationId, role, emails) {
          const ids = new Map<string, UserId>()
          for (const lookUp of [repo.findActive, fetchActive]) {
            const missing = emails.filter((email) => !ids.has(email))
            if (missing.length === 0) break
            for (const { email, id } of yield* lookUp(organizationId, role, missing)) ids.set(email, id)
          }
          return ids
        })
      })
    })
  )
}
