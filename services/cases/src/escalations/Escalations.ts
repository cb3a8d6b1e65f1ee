import { Audit } from "@care/audit"
import {
  AssigneeUnknown,
  type CaseForbidden,
  type CaseNotFound,
  Escalation,
  EscalationActive,
  EscalationNotFound,
  type EscalationOfCase,
  EscalationRepeated,
  type EscalationsQuery,
  type NewEscalation
} from "@care/domain/cases"
import type { IdempotencyConflict } from "@care/domain/http"
import type { CaseId, EscalationId, OrganizationId } from "@care/domain/ids"
import { Once, onceOperation } from "@care/once"
import { currentStaff, inTransaction, newest, oldest, organizationScope, type Page, Time } from "@care/service-kit"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Cases, type NewestOfCase, People, pageOfFound, personIn } from "../case/index.ts"
import { type EscalationRow, escalationOf, makeEscalationsRepo } from "./EscalationsRepo.ts"
import { newRows } from "./newRows.ts"

const addition = onceOperation({ name: "addEscalations", version: 1, ids: {}, answer: Schema.Array(Escalation) })

// Returns the first escalation that has the type and title of one before it.
const firstRepeated = (requested: ReadonlyArray<NewEscalation>): NewEscalation | undefined => {
  const seen = new Set<string>()
  return requested.find(({ title, type }) => {
    const sizeBefore = seen.size
    return seen.add(`${type} / ${title}`).size === sizeBefore
  })
}

type Refusal = CaseNotFound | EscalationRepeated | EscalationActive | AssigneeUnknown

/** Another request completed the escalation first. */
class CompletedMeanwhile extends Schema.TaggedError<CompletedMeanwhile>()("CompletedMeanwhile", {}) {}

/** The escalations of cases: tasks for the care team. */
export class Escalations extends Context.Service<
  Escalations,
  {
    /** Adds all escalations to a case, closed or not, or none. Returns those that are active afterwards, oldest first. */
    readonly add: (
      organizationId: OrganizationId,
      caseId: CaseId,
      requested: ReadonlyArray<NewEscalation>,
      idempotencyKey: string | undefined
    ) => Effect.Effect<ReadonlyArray<Escalation>, Refusal | CaseForbidden | IdempotencyConflict>
    /** Does the same for the care team, without a key. */
    readonly escalate: (
      caseId: CaseId,
      requested: ReadonlyArray<NewEscalation>
    ) => Effect.Effect<ReadonlyArray<Escalation>, Refusal>
    /** Completes an escalation, unless it is completed. */
    readonly complete: (id: EscalationId) => Effect.Effect<Escalation, EscalationNotFound>
    /** Returns the active escalations of a case, oldest first. */
    readonly active: (organizationId: OrganizationId, caseId: CaseId) => Effect.Effect<ReadonlyArray<Escalation>>
    /** Returns a page of an organization's open or completed escalations. */
    readonly list: (query: EscalationsQuery) => Effect.Effect<Page<EscalationOfCase>>
    readonly findOfCase: (
      organizationId: OrganizationId,
      caseId: CaseId,
      id: EscalationId
    ) => Effect.Effect<Escalation, EscalationNotFound>
    /** Returns those of the escalations that are the organization's. */
    readonly findAll: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Escalation>>
    /** Returns escalations, completed ones included. */
    readonly newest: NewestOfCase<Escalation>
  }
>()("@care/cases/escalations/Escalations") {
  static readonly layer = Layer.effect(
    Escalations,
    Effect.gen(function* () {
      const audit = yield* Audit
      const repo = yield* makeEscalationsRepo
      const cases = yield* Cases
      const people = yield* People
      const once = yield* Once
      const sql = yield* SqlClient.SqlClient

      const assignees = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        requested: ReadonlyArray<NewEscalation>
      ) {
        const emails = [...new Set(requested.flatMap(({ assignedToEmail }) => assignedToEmail ?? []))]
        const ids = yield* people.members(organizationId, "THIRD_PARTY_ADMIN", emails)
        const unknown = emails.find((email) => !ids.has(email))
        return unknown === undefined ? ids : yield* new AssigneeUnknown({ email: unknown })
      })

      const active = (organizationId: OrganizationId, caseId: CaseId) =>
        Effect.map(repo.active(organizationId, caseId), (rows) => rows.map(escalationOf))

      const store = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        caseId: CaseId,
        rows: ReadonlyArray<EscalationRow>
      ) {
        for (const { id, type } of rows) {
          const details = { escalationId: id, type }
          yield* cases.record(organizationId, caseId, { type: "ESCALATION_ADDED", details })
        }
        const key = yield* cases.keyOf(organizationId, caseId)
        const added = new Set((yield* repo.insert(key, rows)).map(({ id }) => id))
        const known = rows.find(({ id }) => !added.has(id))
        if (known !== undefined) return yield* new EscalationActive({ type: known.type, title: known.title })
        yield* cases.updateUrgency(organizationId, caseId)
        return yield* active(organizationId, caseId)
      })

      const prepareAddition = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        caseId: CaseId,
        requested: ReadonlyArray<NewEscalation>
      ) {
        const repeated = firstRepeated(requested)
        if (repeated !== undefined) {
          return yield* new EscalationRepeated({ type: repeated.type, title: repeated.title })
        }
        const assigneeIds = yield* assignees(organizationId, requested)
        const rows = newRows({ organizationId, caseId, createdAt: yield* Time.nowAsDate }, requested, assigneeIds)
        return inTransaction(sql)(store(organizationId, caseId, rows))
      })

      const orNotFound = <A>(found: Option.Option<A>, escalationId: EscalationId) =>
        Effect.fromOption(found, () => new EscalationNotFound({ escalationId }))

      return Escalations.of({
        add: Effect.fn("Escalations.add")((organizationId, caseId, requested, key) =>
          once.run(addition, { organizationId, key, body: { caseId, escalations: requested } }, () =>
            Effect.andThen(cases.requireOwn(organizationId, caseId), prepareAddition(organizationId, caseId, requested))
          )
        ),

        escalate: Effect.fn("Escalations.escalate")(function* (caseId, requested) {
          const organizationId = yield* cases.organizationOf(caseId)
          return yield* Effect.flatten(prepareAddition(organizationId, caseId, requested))
        }),

        complete: Effect.fn("Escalations.complete")(function* (id) {
          const { organizationId } = yield* orNotFound(yield* repo.findOwner(id, yield* organizationScope), id)
          const find = Effect.flatMap(repo.find(organizationId, id), (found) => orNotFound(found, id))
          const { caseId, isCompleted } = yield* find
          // A provider completes those of cases that they may see.
          yield* Effect.mapError(cases.findOwner(caseId), () => new EscalationNotFound({ escalationId: id }))
          const now = yield* Time.nowAsDate
          // Recording locks the case first, as adding does, so that the two wait for each other.
          const change = Effect.gen(function* () {
            const details = { escalationId: id }
            yield* cases.record(organizationId, caseId, { type: "ESCALATION_COMPLETED", details })
            const completed = yield* Effect.fromOption(
              yield* repo.complete(organizationId, id, now),
              () => new CompletedMeanwhile()
            )
            yield* cases.updateUrgency(organizationId, caseId)
            return completed
          })
          const completion = isCompleted
            ? find
            : inTransaction(sql)(change).pipe(
                Effect.catchTag("CompletedMeanwhile", () => find),
                Effect.catchTag("CaseNotFound", Effect.die)
              )
          return escalationOf(yield* completion)
        }),

        active: Effect.fn("Escalations.active")(active),

        list: Effect.fn("Escalations.list")(function* ({ cursor, isUnassigned, limit, state, ...query }) {
          const isCompleted = state === "COMPLETED"
          const after = cursor ?? (isCompleted ? newest : oldest)
          const staff = yield* currentStaff
          const page = pageOfFound(
            yield* repo.list(
              {
                organizationId: query.organizationId,
                seenBy: staff?.role === "PROVIDER" ? staff.userId : undefined,
                assignedTo: query.assignedTo,
                isUnassigned: isUnassigned === "true",
                isCompleted,
                after
              },
              limit + 1
            ),
            limit
          )
          const summaries = yield* people.summaries(
            query.organizationId,
            page.data.flatMap(({ assignedToUserId, userId }) =>
              assignedToUserId === null ? [userId] : [userId, assignedToUserId]
            )
          )
          const person = personIn(summaries)
          yield* audit.listed("CASE_READ", page.data, ["ESCALATIONS", "PROFILE"])
          return {
            ...page,
            data: page.data.map(({ isFound: _, isLast: __, shortId, userId, ...row }) => ({
              ...escalationOf(row),
              organizationId: row.organizationId,
              caseId: row.caseId,
              shortId,
              submitter: person(userId),
              assignedTo: row.assignedToUserId === null ? null : person(row.assignedToUserId)
            }))
          }
        }),

        findOfCase: Effect.fn("Escalations.findOfCase")(function* (organizationId, caseId, id) {
          const found = Option.filter(yield* repo.find(organizationId, id), (row) => row.caseId === caseId)
          return escalationOf(yield* orNotFound(found, id))
        }),

        findAll: Effect.fn("Escalations.findAll")(function* (organizationId, ids) {
          return (yield* repo.findAll(organizationId, ids)).map(escalationOf)
        }),

        newest: Effect.fn("Escalations.newest")(function* (...page) {
          return (yield* repo.newest(...page)).map(escalationOf)
        })
      })
    })
  ).pipe(Layer.provide(Cases.layer))
}
