import { type CaseActivityType, CaseStatusConflict } from "@care/domain/cases"
import { type CaseId, type OrganizationId, UserId } from "@care/domain/ids"
import { Effect, Option, Schema } from "effect"
import { makeActivityRepo } from "../activity/ActivityRepo.ts"
import { People } from "../people/People.ts"

const deeds: ReadonlyMap<CaseActivityType, string> = new Map([
  ["CASE_ASSIGNED", "assigned it"],
  ["CASE_STARTED", "began work on it"],
  ["DECISION_ADDED", "decided on it"],
  ["CASE_OPENED", "opened it"],
  ["CASE_CLOSED", "closed it"],
  ["CASE_REOPENED", "reopened it"]
])

const isUserId = Schema.is(UserId)

/** Returns a function that adds to a conflict which member of the staff moved the case last, and when. Nobody else is named. */
export const makeExplained = Effect.gen(function* () {
  const activity = yield* makeActivityRepo
  const people = yield* People

  const lastMove = Effect.fnUntraced(function* (organizationId: OrganizationId, caseId: CaseId) {
    const last = Option.getOrUndefined(yield* activity.last(organizationId, caseId, [...deeds.keys()]))
    if (last?.actorType !== "USER" || !isUserId(last.actorId)) return undefined
    const person = (yield* people.summaries(organizationId, [last.actorId])).get(last.actorId)
    if (person === undefined || person.role === "USER") return undefined
    return { text: `${person.firstName} ${person.lastName} ${deeds.get(last.type)}.`, at: last.at }
  })

  return <A, E>(organizationId: OrganizationId, caseId: CaseId, move: Effect.Effect<A, E | CaseStatusConflict>) =>
    Effect.catchIf(
      move,
      (error): error is CaseStatusConflict => error instanceof CaseStatusConflict,
      Effect.fnUntraced(function* ({ isArchived, needed, status }) {
        const last = yield* lastMove(organizationId, caseId)
        return yield* new CaseStatusConflict({ isArchived, needed, status, ...(last !== undefined && { last }) })
      })
    )
})
