import { UserSummary } from "@care/domain/auth"
import { CaseMatch, type CaseOrder, type CaseStatus, CaseSummary, unassignedStatus } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { CaseId, type OrganizationId, UserId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema, Struct } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { fitsLicence, personJson } from "../../case/index.ts"
import type { ListPart } from "./listParts.ts"
import type { SearchTerms } from "./searchTerms.ts"

/** An examined case. `part`: the index of its part of the list. `isFound`: it matches. `isLast`: the examination ended with it, although there are more. */
const ExaminedCase = Schema.Struct({
  ...Struct.omit(CaseSummary.fields, ["submitter", "assignedTo", "waitingSince"]),
  createdAt: Schema.Date,
  updatedAt: Schema.Date,
  closedAt: Schema.NullOr(Schema.Date),
  assignedAt: Schema.NullOr(Schema.Date),
  inProgressAt: Schema.NullOr(Schema.Date),
  userId: UserId,
  assignedTo: Schema.NullOr(UserId),
  people: Schema.toCodecJson(Schema.Array(UserSummary)),
  part: Schema.Int,
  isFound: Schema.Boolean,
  isLast: Schema.Boolean
})
export type ExaminedCase = typeof ExaminedCase.Type

/** The conditions of a search. Undefined ones match anything. */
export interface Search {
  readonly organizationId: OrganizationId | undefined
  readonly statuses: ReadonlyArray<CaseStatus>
  readonly archived: ReadonlyArray<boolean>
  readonly assignedTo: UserId | undefined
  readonly email: string | undefined
  readonly updatedSince: Date | undefined
  /** The provider who sees only cases that are assigned to them, and waiting ones. */
  readonly seenBy: UserId | undefined
  readonly order: CaseOrder
  readonly parts: ReadonlyArray<ListPart>
  /** The day on which cases that were due before are overdue. */
  readonly today: string
}

const matchingCases = rowsOf(Schema.Struct({ caseId: CaseId, match: CaseMatch }))

// In the order of bytes nothing comes after it.
const lastCharacter = "\u{10ffff}"

/** How many cases are examined for a page of a search that no index answers. */
export const maxExamined = 1000

const foundCases = rowsOf(ExaminedCase)
const counts = rowsOf(Schema.Struct({ count: Schema.Int }))

/**
 * SQL of the search. Each search reads a bounded number of rows. No statement is prepared, because a cached plan could be one for an empty
 * table.
 */
export const makeSearchRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const newestFirst = sql.literal("ORDER BY created_at DESC, id DESC")
  // The operators of an order: which cases come after a position, which come before one, and its direction.
  const directionOf = ({ order }: Search) =>
    order === "NEWEST"
      ? { after: sql.literal("<"), before: sql.literal(">"), direction: " DESC" }
      : { after: sql.literal(">"), before: sql.literal("<"), direction: "" }
  const orderedBy = (search: Search, columns: ReadonlyArray<string>) =>
    sql.literal(`ORDER BY ${columns.map((column) => `${column}${directionOf(search).direction}`).join()}`)
  const inOrder = (search: Search) => orderedBy(search, ["created_at", "id"])
  const inPartsAndOrder = (search: Search) =>
    sql.literal(`ORDER BY part, created_at${directionOf(search).direction}, id${directionOf(search).direction}`)
  const isWithin = (search: Search, { after, until }: ListPart) => sql`
    (created_at, id) ${directionOf(search).after} (${after.createdAt}, ${after.id})
      AND (created_at, id) ${directionOf(search).before} (${until.createdAt}, ${until.id})
  `
  // As in the conditions of the indexes of urgent cases.
  const mayBeUrgent = ({ isUrgent }: ListPart) =>
    sql.literal(isUrgent === true ? "(has_open_escalation OR due_on IS NOT NULL)" : "true")
  const isOfPart = ({ today }: Search, { isUrgent }: ListPart) =>
    isUrgent === undefined
      ? sql.literal("true")
      : sql`(has_open_escalation OR coalesce(due_on < ${today}::date, false)) = ${isUrgent}::boolean`
  const ofParts = ({ parts }: Search, rowsOfPart: (part: ListPart, index: Statement.Fragment) => Statement.Fragment) =>
    sql.join(" UNION ALL ", false)(parts.map((part, index) => rowsOfPart(part, sql`${index}::integer AS part`)))
  const inOrganization = (organizationId: OrganizationId | undefined) =>
    organizationId === undefined ? sql.literal("true") : sql`organization_id = ${organizationId}`
  const hasChanged = ({ updatedSince }: Pick<Search, "updatedSince">) =>
    updatedSince === undefined ? sql.literal("true") : sql`updated_at >= ${updatedSince}`

  const isWaiting = sql`status = ${unassignedStatus} AND NOT is_archived`

  // Whether an examined case is found.
  const isFound = ({ seenBy, ...search }: Search) =>
    seenBy === undefined
      ? sql`is_of_part AND ${hasChanged(search)}`
      : sql`is_of_part AND ${hasChanged(search)} AND (assigned_to IS NOT NULL OR ${fitsLicence(sql, sql`examined`, seenBy)})`

  // Whether a case is one that the provider may see, if they are licensed.
  const isInSight = ({ seenBy }: Search) =>
    seenBy === undefined ? sql.literal("true") : sql`(assigned_to = ${seenBy} OR (${isWaiting}))`

  // For few cases, all of which are read.
  const matches = (search: Search, part: ListPart) => sql`
    ${isWithin(search, part)} AND ${isOfPart(search, part)} AND ${hasChanged(search)} AND status = ANY(${search.statuses}::text[])
      AND is_archived = ANY(${search.archived}::boolean[])
      AND (${search.assignedTo ?? null}::uuid IS NULL OR assigned_to = ${search.assignedTo ?? null})
      AND ${isInSight(search)}
  `

  // The columns of an index before the state of a case, and their values.
  const leading = ({ assignedTo, organizationId }: Search) => {
    if (assignedTo === undefined) return { columns: [], values: sql.literal(""), among: inOrganization(organizationId) }
    // A provider belongs to one organization, which their first case names.
    const organization =
      organizationId === undefined
        ? sql`(
            SELECT organization_id FROM cases WHERE assigned_to BETWEEN ${assignedTo} AND ${assignedTo}
            ORDER BY assigned_to LIMIT 1
          )`
        : sql`${organizationId}::uuid`
    return {
      columns: ["assigned_to", "organization_id"],
      values: sql`${assignedTo}::uuid, ${organization},`,
      among: sql`assigned_to IS NOT NULL AND ${inOrganization(organizationId)}`
    }
  }

  // Reads the first cases of each part and state from an index, in the order of the search. The conditions are ranges in the order of that index: for
  // equalities the planner might use another index and filter.
  const inStates = (search: Search, count: number) => {
    const { among, columns, values } = leading(search)
    const orderColumns = [...columns, "is_archived", "status", "created_at", "id"]
    const { after, before } = directionOf(search)
    const position = ({ createdAt, id }: PagePosition) =>
      sql`(${values} of_archived.is_archived, of_status.status, ${createdAt}::timestamptz, ${id}::uuid)`
    return ofParts(
      search,
      (part, index) => sql`
        SELECT found.*, ${index}, ${isOfPart(search, part)} AS is_of_part FROM unnest(${search.statuses}::text[]) AS of_status (status)
        CROSS JOIN unnest(${search.archived}::boolean[]) AS of_archived (is_archived)
        CROSS JOIN LATERAL (
          SELECT * FROM cases
          WHERE ${among} AND ${mayBeUrgent(part)}
            AND (${sql.literal(orderColumns.join())}) ${after} ${position(part.after)}
            AND (${sql.literal(orderColumns.join())}) ${before} ${position(part.until)}
          ${orderedBy(search, orderColumns)} LIMIT ${count}
        ) found
      `
    )
  }

  // Assigned and waiting cases are different ones. Of the waiting ones some may be out of sight, so that more are read of them.
  const inSight = (search: Search, provider: UserId, count: number) => {
    const assigned = search.assignedTo === undefined || search.assignedTo === provider ? [provider] : []
    const waiting = {
      ...search,
      statuses: search.assignedTo === undefined ? search.statuses.filter((status) => status === unassignedStatus) : [],
      archived: search.archived.filter((isArchived) => !isArchived)
    }
    return sql.join(
      " UNION ALL ",
      false
    )([...assigned.map((assignedTo) => inStates({ ...search, assignedTo }, count)), inStates(waiting, maxExamined)])
  }

  const ofPatients = (search: Search, email: string, count: number) =>
    ofParts(
      search,
      (part, index) => sql`
        SELECT found.*, ${index}, true AS is_of_part
        FROM (SELECT organization_id, id FROM people WHERE email = ${email} AND ${inOrganization(search.organizationId)}) patient
        CROSS JOIN LATERAL (
          SELECT * FROM cases
          WHERE organization_id = patient.organization_id AND user_id = patient.id AND ${matches(search, part)}
          ${inOrder(search)} LIMIT ${count}
        ) found
      `
    )

  const changed = (organizationId: OrganizationId, since: Date, limit: number) => sql`
    SELECT * FROM cases WHERE organization_id = ${organizationId} AND updated_at >= ${since}
    ORDER BY updated_at DESC LIMIT ${limit}
  `

  /** Returns those of the examined cases that match, in the order of the search, and the last examined one. */
  const page = (candidates: Statement.Fragment, search: Search, examined: number, limit: number) =>
    foundCases.all(
      sql`
      WITH candidates AS (${candidates}), examined AS (
        SELECT *, row_number() OVER (${inPartsAndOrder(search)}) AS place FROM candidates ${inPartsAndOrder(search)} LIMIT ${examined}
      ), page_rows AS (
        SELECT *, ${isFound(search)} AS is_found, place = ${examined} AS is_last FROM examined
        WHERE ${isFound(search)} OR place = ${examined}
        ORDER BY place LIMIT ${limit}
      )
      SELECT page_rows.id, short_id, page_rows.organization_id, status, type, title, is_test, is_archived, page_rows.created_at,
             page_rows.updated_at, closed_at, assigned_at, in_progress_at, user_id, assigned_to, part, is_found, is_last,
             to_char(due_on, 'YYYY-MM-DD') AS due_date,
             coalesce(people, '[]') AS people, nullif(patient_state, '') AS patient_state,
             EXISTS (
               SELECT FROM escalations
               WHERE organization_id = page_rows.organization_id AND case_id = page_rows.id AND NOT is_completed
             ) AS has_open_escalation,
             ARRAY(
               SELECT product.name FROM case_products
               JOIN products product ON product.organization_id = case_products.organization_id AND product.id = product_id
               WHERE case_products.organization_id = page_rows.organization_id AND case_id = page_rows.id
               ORDER BY index
             ) AS product_names
      FROM page_rows CROSS JOIN LATERAL (
        SELECT json_agg(${sql.literal(personJson)}) AS people, max(p.state) FILTER (WHERE p.id = user_id) AS patient_state
        FROM people p
        WHERE p.organization_id = page_rows.organization_id AND p.id = ANY(ARRAY[user_id, assigned_to])
      ) page_people
      ORDER BY place
    `.unprepared
    )

  // The parts of a look-up, each of which reads an index up to its limit.
  const lookUps = (organizationId: OrganizationId, terms: SearchTerms, limit: number) => {
    const ofOrganization = sql`organization_id = ${organizationId}`
    const found = (match: CaseMatch, caseId: string, rows: Statement.Fragment) =>
      sql`(SELECT ${sql.literal(caseId)} AS case_id, ${match}::text AS match FROM ${rows} LIMIT ${limit})`
    const ofPatients = (match: CaseMatch, patients: Statement.Fragment) =>
      found(
        match,
        "of_patient.id",
        sql`(SELECT id FROM people WHERE ${ofOrganization} AND ${patients} LIMIT ${limit}) AS patient
          CROSS JOIN LATERAL (
            SELECT id FROM cases WHERE ${ofOrganization} AND user_id = patient.id ${newestFirst} LIMIT ${limit}
          ) AS of_patient`
      )
    const named = (name: string, parts: string) => {
      const key = sql.literal(`searched_name(${parts})`)
      return ofPatients(
        "NAME",
        sql`role = 'USER' AND ${key} ~>=~ searched_name(${name}) AND ${key} ~<~ (searched_name(${name}) || ${lastCharacter})
          ORDER BY ${key} USING ~<~`
      )
    }
    const { email, id, names, pharmacyOrderId, phoneNumbers, shortId } = terms
    return [
      ...(id === undefined
        ? []
        : [
            found("CASE_ID", "id", sql`cases WHERE ${ofOrganization} AND id = ${id}::uuid`),
            found("ORDER_ID", "case_id", sql`orders WHERE ${ofOrganization} AND id = ${id}::uuid`),
            found("PAYMENT_ID", "case_id", sql`case_payments WHERE ${ofOrganization} AND payment_id = ${id}::uuid`),
            ofPatients("PATIENT_ID", sql`id = ${id}::uuid`)
          ]),
      ...(shortId === undefined
        ? []
        : [found("SHORT_ID", "id", sql`cases WHERE ${ofOrganization} AND short_id = ${shortId}`)]),
      found(
        "PHARMACY_ORDER_ID",
        "case_id",
        sql`orders WHERE ${ofOrganization} AND pharmacy_order_id = ${pharmacyOrderId}`
      ),
      ...(email === undefined ? [] : [ofPatients("EMAIL", sql`email = ${email}`)]),
      ...(phoneNumbers.length === 0
        ? []
        : [ofPatients("PHONE_NUMBER", sql`phone_number = ANY(${phoneNumbers}::text[]) AND phone_number <> ''`)]),
      ...names.flatMap((name) => [
        named(name, "first_name || ' ' || last_name"),
        named(name, "last_name || ' ' || first_name")
      ])
    ]
  }

  return {
    /** Returns the cases that terms find, with the way that each was found, in the order of the ways. A case may be found in several. */
    matching: (organizationId: OrganizationId, terms: SearchTerms, limit: number) =>
      matchingCases.all(sql`${sql.join(" UNION ALL ", false)(lookUps(organizationId, terms, limit))}`.unprepared),

    /** Returns those of the cases that are the organization's and in sight. */
    ofIds: (organizationId: OrganizationId, ids: ReadonlyArray<CaseId>, search: Search) =>
      page(
        sql`
          SELECT of_id.*, 0 AS part, true AS is_of_part FROM unnest(${ids}::uuid[]) AS requested (id)
          CROSS JOIN LATERAL (
            SELECT * FROM cases
            WHERE organization_id = ${organizationId} AND cases.id = requested.id AND ${isInSight(search)} LIMIT 1
          ) AS of_id
        `,
        search,
        ids.length,
        ids.length
      ),

    /** Counts the cases of an organization that changed since then, up to one more than a page examines. */
    countChanged: (organizationId: OrganizationId, since: Date) =>
      Effect.map(
        counts.one(
          sql`
          SELECT count(*)::int AS count FROM (${changed(organizationId, since, maxExamined + 1)}) AS changed
        `.unprepared
        ),
        ({ count }) => count
      ),

    /** Returns the first cases of the patients with an email. */
    ofPatients: (search: Search, email: string, limit: number) =>
      page(ofPatients(search, email, limit), search, limit, limit),

    /** Returns the case of an organization with a short id, if it matches. */
    ofShortId: (search: Search, organizationId: OrganizationId, shortId: string) =>
      page(
        ofParts(
          search,
          (part, index) => sql`
            SELECT *, ${index}, true AS is_of_part FROM (
              SELECT * FROM cases WHERE organization_id = ${organizationId} AND short_id = ${shortId} LIMIT 1
            ) AS named
            WHERE ${matches(search, part)}
          `
        ),
        search,
        2,
        1
      ),

    /** Returns the first of an organization's cases that changed since then, for when they are few. */
    ofChanged: (search: Search, organizationId: OrganizationId, since: Date, limit: number) =>
      page(
        ofParts(
          search,
          (part, index) => sql`
            SELECT *, ${index}, true AS is_of_part FROM (${changed(organizationId, since, 2 * maxExamined)}) AS changed
            WHERE ${matches(search, part)}
          `
        ),
        search,
        limit,
        limit
      ),

    /** Returns the first cases. It examines a bounded number when not all of them match. */
    first: (search: Search, limit: number) => {
      const count = search.updatedSince === undefined && search.order !== "URGENCY" ? limit : maxExamined
      return search.seenBy === undefined
        ? page(inStates(search, count), search, count, limit)
        : page(inSight(search, search.seenBy, count), search, maxExamined, limit)
    }
  }
})
