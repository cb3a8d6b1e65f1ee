import { Audit } from "@care/audit"
import { OrganizationNotFound, type UserSummary } from "@care/domain/auth"
import {
  activeStatuses,
  assignedStatus,
  type CaseFind,
  type CaseMatch,
  type CaseSearchQuery,
  CaseStatus,
  type CaseSummary,
  type CasesQuery,
  type FoundCase,
  type ListedCase,
  unassignedStatus
} from "@care/domain/cases"
import { RequestInvalid, type Staff } from "@care/domain/http"
import type { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { currentStaff, organizationScope, type Page, scopeOf, Time } from "@care/service-kit"
import { Array as Arr, Context, DateTime, Effect, Layer, Struct } from "effect"
import { People, pageOfFound, personIn } from "../../case/index.ts"
import { listParts, listPositionOf } from "./listParts.ts"
import { type ExaminedCase, makeSearchRepo, maxExamined, type Search } from "./SearchRepo.ts"
import { searchTerms } from "./searchTerms.ts"

const foundLimit = 20

const urgencyRefusal = "URGENCY needs organizationId"

const statusesOf = (status: CaseSearchQuery["status"]): ReadonlyArray<CaseStatus> => {
  if (status === undefined) return CaseStatus.literals
  return status === "ACTIVE" ? activeStatuses : [status]
}

const searchOf = ({ isArchived, order, status, ...query }: CaseSearchQuery, now: DateTime.DateTime): Search => ({
  organizationId: query.organizationId,
  statuses: statusesOf(status),
  archived: isArchived === undefined ? [false, true] : [isArchived === "true"],
  assignedTo: query.assignedTo,
  email: query.email,
  updatedSince: query.updatedSince,
  seenBy: undefined,
  order,
  parts: listParts({ order, ...query }),
  today: DateTime.formatIsoDateUtc(now)
})

// Cases that wait for nobody have no such time.
const waitingSince = ({ assignedAt, createdAt, inProgressAt, isArchived, status }: ExaminedCase): Date | null => {
  if (isArchived) return null
  if (status === unassignedStatus) return createdAt
  if (status === assignedStatus) return assignedAt
  return status === "IN_PROGRESS" ? inProgressAt : null
}

type PersonOf = (id: UserId) => UserSummary

const peopleOfCase = ({ assignedTo, userId }: ExaminedCase, person: PersonOf) => ({
  submitter: person(userId),
  assignedTo: assignedTo === null ? null : person(assignedTo)
})

const summaryOf = (found: ExaminedCase, person: PersonOf): CaseSummary => ({
  ...Struct.omit(found, ["assignedAt", "inProgressAt", "part", "isFound", "isLast", "people", "userId"]),
  ...peopleOfCase(found, person),
  waitingSince: waitingSince(found)
})

const listedCaseOf = (found: ExaminedCase, person: PersonOf): ListedCase => ({
  ...Struct.pick(found, [
    "id",
    "shortId",
    "createdAt",
    "updatedAt",
    "title",
    "status",
    "type",
    "inProgressAt",
    "closedAt",
    "isArchived"
  ]),
  ...peopleOfCase(found, person)
})

// Staff find cases of their organization, and providers among those the ones that they may see.
const withinSight = (search: Search, staff: Staff | undefined): Search => ({
  ...search,
  organizationId: scopeOf(staff) ?? search.organizationId,
  seenBy: staff?.role === "PROVIDER" ? staff.userId : undefined
})

/** The search of cases, in all organizations or by a partner in their own. */
export class CaseSearch extends Context.Service<
  CaseSearch,
  {
    /**
     * Returns a page of the matching cases, newest, oldest or most urgent first. The length of a page bounds its cost. With `updatedSince`,
     * by urgency, or for a provider, a page may be shorter than the limit although there are more.
     */
    readonly list: (query: CaseSearchQuery) => Effect.Effect<Page<CaseSummary>, RequestInvalid>
    /** Returns a page of a partner's cases, newest first. With `updatedSince` it may be shorter than the limit in the same way. */
    readonly listOwn: (organizationId: OrganizationId, query: CasesQuery) => Effect.Effect<Page<ListedCase>>
    /** Returns the cases that a text may mean: those that ids name first, then those of patients, the newest first. */
    readonly find: (
      request: CaseFind
    ) => Effect.Effect<{ readonly data: ReadonlyArray<FoundCase> }, OrganizationNotFound>
  }
>()("@care/cases/search/CaseSearch") {
  static readonly layer = Layer.effect(
    CaseSearch,
    Effect.gen(function* () {
      const audit = yield* Audit
      const people = yield* People
      const repo = yield* makeSearchRepo

      const findPage = Effect.fnUntraced(function* (search: Search, limit: number) {
        const { email, organizationId, updatedSince } = search
        if (email !== undefined) return yield* repo.ofPatients(search, email, limit)
        if (organizationId !== undefined && updatedSince !== undefined) {
          const count = yield* repo.countChanged(organizationId, updatedSince)
          if (count <= maxExamined) return yield* repo.ofChanged(search, organizationId, updatedSince, limit)
        }
        return yield* repo.first(search, limit)
      })

      // Unknown people are fetched by one call for each organization.
      const peopleOf = Effect.fnUntraced(function* (rows: ReadonlyArray<ExaminedCase>) {
        const organizations = Object.values(Arr.groupBy(rows, ({ organizationId }) => organizationId))
        const summaries = yield* Effect.forEach(organizations, (rowsOfOrganization) => {
          const ids = rowsOfOrganization.flatMap(({ assignedTo, userId }) =>
            assignedTo === null ? [userId] : [userId, assignedTo]
          )
          return people.summaries(
            rowsOfOrganization[0].organizationId,
            ids,
            rowsOfOrganization.flatMap((row) => row.people)
          )
        })
        return personIn(new Map(summaries.flatMap((entries) => [...entries])))
      })

      // Records that cases were shown, and returns them with their people.
      const show = Effect.fnUntraced(function* <Shown>(
        rows: ReadonlyArray<ExaminedCase>,
        shownOf: (found: ExaminedCase, person: PersonOf) => Shown
      ) {
        const person = yield* peopleOf(rows)
        yield* audit.listed(
          "CASE_FOUND",
          rows.map(({ id: caseId, organizationId, userId }) => ({ organizationId, caseId, userId })),
          ["CASES", "PROFILE"]
        )
        return rows.map((row) => shownOf(row, person))
      })

      return CaseSearch.of({
        list: Effect.fn("CaseSearch.list")(function* ({ limit, ...query }) {
          const search = withinSight(searchOf({ limit, ...query }, yield* Time.now), yield* currentStaff)
          if (search.order === "URGENCY" && search.organizationId === undefined) {
            return yield* new RequestInvalid({ part: "query", path: "order", reason: urgencyRefusal })
          }
          const { data, nextCursor } = pageOfFound(yield* findPage(search, limit + 1), limit, (row) =>
            listPositionOf(search.parts[row.part], row)
          )
          return { data: yield* show(data, summaryOf), nextCursor }
        }),

        listOwn: Effect.fn("CaseSearch.listOwn")(function* (organizationId, { limit, shortId, ...query }) {
          const search = searchOf({ ...query, limit, order: "NEWEST", organizationId }, yield* Time.now)
          const rows = yield* shortId === undefined
            ? findPage(search, limit + 1)
            : repo.ofShortId(search, organizationId, shortId)
          const { data, nextCursor } = pageOfFound(rows, limit)
          return { data: yield* show(data, listedCaseOf), nextCursor }
        }),

        find: Effect.fn("CaseSearch.find")(function* ({ limit = foundLimit, organizationId, q }) {
          const scope = (yield* organizationScope) ?? organizationId
          if (scope !== organizationId) return yield* new OrganizationNotFound({ organizationId })
          const search = withinSight(
            searchOf({ limit, order: "NEWEST", organizationId }, yield* Time.now),
            yield* currentStaff
          )
          // More are examined for a provider, who may not see all of them.
          const examined = search.seenBy === undefined ? limit : maxExamined
          const matches = new Map<CaseId, CaseMatch>()
          for (const { caseId, match } of yield* repo.matching(organizationId, searchTerms(q), examined)) {
            if (matches.size < examined && !matches.has(caseId)) matches.set(caseId, match)
          }
          if (matches.size === 0) return { data: [] }
          const seen = yield* repo.ofIds(organizationId, [...matches.keys()], search)
          const byId = new Map(seen.flatMap((row) => (row.isFound ? [[row.id, row] as const] : [])))
          const shown = yield* show([...matches.keys()].flatMap((id) => byId.get(id) ?? []).slice(0, limit), summaryOf)
          return {
            data: shown.flatMap((found) => {
              const match = matches.get(found.id)
              return match === undefined ? [] : [{ ...found, match }]
            })
          }
        })
      })
    })
  )
}
