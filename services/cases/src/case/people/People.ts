import { AuthApi, type MemberRole, type PersonSnapshot, StaffUnknown, type UserSummary } from "@care/domain/auth"
import { UserNotInOrganization } from "@care/domain/cases"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { peer } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { makePeopleRepo } from "./PeopleRepo.ts"

/** Snapshots of how people are shown. Auth is asked for a missing one. */
export class People extends Context.Service<
  People,
  {
    /** Keeps a snapshot, unless one as new is kept. */
    readonly keep: (snapshot: PersonSnapshot) => Effect.Effect<void>
    readonly hasProviders: (organizationId: OrganizationId) => Effect.Effect<boolean>
    /** How users are shown, by id; whom the organization does not know is left out. `known` were read before. */
    readonly shown: (
      organizationId: OrganizationId,
      userIds: ReadonlyArray<UserId>,
      known?: ReadonlyArray<UserSummary>
    ) => Effect.Effect<ReadonlyMap<UserId, UserSummary>>
    /** How a user is shown whom the organization knows. */
    readonly one: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<UserSummary, UserNotInOrganization>
    /** How an active member of the organization's staff is shown. */
    readonly staff: (
      organizationId: OrganizationId,
      userId: UserId
    ) => Effect.Effect<UserSummary, UserNotInOrganization | StaffUnknown>
    /** The active members of an organization with a role who have these emails: their ids by email. */
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
      const auth = yield* peer(AuthApi, "directory")
      const repo = yield* makePeopleRepo

      const keepAll = Effect.fnUntraced(function* (snapshots: ReadonlyArray<PersonSnapshot>) {
        yield* Effect.forEach(snapshots, repo.keep, { discard: true })
        return snapshots.map(({ person }) => person)
      })

      const ask = Effect.fn("People.ask")(function* (organizationId: OrganizationId, userIds: ReadonlyArray<UserId>) {
        return yield* keepAll(yield* Effect.orDie(auth.people({ payload: { organizationId, userIds } })))
      })

      const askActive = Effect.fn("People.askActive")(function* (
        organizationId: OrganizationId,
        role: MemberRole,
        emails: ReadonlyArray<string>
      ) {
        const people = yield* keepAll(yield* Effect.orDie(auth.peopleByEmail({ payload: { organizationId, emails } })))
        return people.filter((person) => person.role === role && person.isActive)
      })

      const shown = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        userIds: ReadonlyArray<UserId>,
        known: ReadonlyArray<UserSummary> = []
      ) {
        const people = new Map(known.map((person) => [person.id, person]))
        for (const look of [repo.find, ask]) {
          const missing = [...new Set(userIds)].filter((id) => !people.has(id))
          if (missing.length === 0) break
          for (const person of yield* look(organizationId, missing)) people.set(person.id, person)
        }
        return people
      })

      const one = Effect.fnUntraced(function* (organizationId: OrganizationId, userId: UserId) {
        const person = (yield* shown(organizationId, [userId])).get(userId)
        return person ?? (yield* new UserNotInOrganization({ userId }))
      })

      return People.of({
        keep: repo.keep,
        hasProviders: repo.hasProviders,
        shown,
        one,
        staff: (organizationId, userId) =>
          Effect.filterOrFail(
            one(organizationId, userId),
            ({ isActive, role }) => isActive && role !== "USER",
            () => new StaffUnknown({ userId })
          ),
        members: Effect.fnUntraced(function* (organizationId, role, emails) {
          const ids = new Map<string, UserId>()
          for (const look of [repo.findActive, askActive]) {
            const missing = emails.filter((email) => !ids.has(email))
            if (missing.length === 0) break
            for (const { email, id } of yield* look(organizationId, role, missing)) ids.set(email, id)
          }
          return ids
        })
      })
    })
  )
}
