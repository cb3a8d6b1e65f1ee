import { type AuditQuery, monthOf } from "@care/domain/audit"
import { newest } from "@care/service-kit"
import type { SqlClient, Statement } from "effect/sql"
import { isReadable } from "../isReadable.ts"
import { idBoundOf, lowestIdOf } from "../recordId.ts"

/**
 * Makes the queries of the newest positions of records that a query selects, of `organizations.id` and `actions.name`: a moment, an id, and
 * the month of an entry. Records of people who are signed in have indexes by them.
 */
export const recordPositions = (sql: SqlClient.SqlClient) => {
  // The conditions of a query on whose data it is.
  const conditionsOnSubject = ({ caseId, userId }: AuditQuery) => [
    ...(caseId === undefined ? [] : [sql`case_id = ${caseId}`]),
    ...(userId === undefined ? [] : [sql`user_id = ${userId}`])
  ]

  // The condition of a query on who acted.
  const conditionsOnActor = ({ actorId }: AuditQuery, column: "actor_id" | "actor_uuid") =>
    actorId === undefined ? [] : [sql`actor_type = 'USER'`, sql`${sql.literal(column)} = ${actorId}`]

  // The same of lists that are found by what they showed. `ofList` selects the record of the list, which has who acted.
  const listsOfActor = (query: AuditQuery, ofList: Statement.Fragment, column: "actor_id" | "actor_uuid") =>
    query.actorId === undefined
      ? []
      : [sql`EXISTS (SELECT FROM ${ofList} AND ${sql.and(conditionsOnActor(query, column))})`]

  // The conditions of a query on a moment. Ids of entries are in the order of their moments, which the indexes by subject have to the week only.
  const conditionsOnTime = ({ cursor = newest, from, to }: AuditQuery, id: Statement.Fragment) => [
    sql`(at, ${id}) < (${cursor.createdAt}, ${cursor.id})`,
    ...(from === undefined ? [] : [sql`at >= ${from}`]),
    ...(to === undefined ? [] : [sql`at < ${to}`])
  ]
  const week = sql.literal("date_trunc('week', at AT TIME ZONE 'UTC')")
  const weekOf = (moment: Date) => sql`date_trunc('week', ${moment.toISOString().slice(0, 10)}::timestamp)`
  const conditionsOnEntry = ({ cursor = newest, from, to }: AuditQuery, id: Statement.Fragment) => [
    sql`${id} < ${idBoundOf(cursor)}::uuid`,
    ...(from === undefined ? [] : [sql`${id} >= ${lowestIdOf(from)}::uuid`, sql`month >= ${monthOf(from)}`]),
    ...(to === undefined ? [] : [sql`${id} < ${lowestIdOf(to)}::uuid`])
  ]
  const conditionsOnWeek = ({ cursor = newest, from }: AuditQuery) => [
    sql`${week} <= ${weekOf(cursor.createdAt)}`,
    ...(from === undefined ? [] : [sql`${week} >= ${weekOf(from)}`])
  ]

  const ofOrganization = sql`organization_id = organizations.id`
  const ofAction = sql`action = actions.name`
  const ofOneAction = ({ action }: AuditQuery) => (action === undefined ? [] : [sql`action = ${action}`])
  const isFirst = ({ caseId }: AuditQuery) => (caseId === undefined ? [sql`is_first_of_user`] : [])

  // The positions of records of version 1. A list is found by the cases and patients that it showed, once.
  const recordsOfVersion1 = (query: AuditQuery, limit: number) => sql`
    SELECT at, id, NULL::integer AS month FROM audit_records
    WHERE ${sql.and([
      ofOrganization,
      ...conditionsOnSubject(query),
      ...conditionsOnActor(query, "actor_id"),
      ofAction,
      ...conditionsOnTime(query, sql.literal("id"))
    ])}
    ORDER BY at DESC, id DESC
    LIMIT ${limit}
  `
  const listsOfVersion1 = (query: AuditQuery, limit: number) => sql`
    SELECT at, record_id AS id, NULL::integer AS month FROM audit_shown
    WHERE ${sql.and([
      ofOrganization,
      ...conditionsOnSubject(query),
      ofAction,
      ...conditionsOnTime(query, sql.literal("record_id")),
      ...isFirst(query),
      ...listsOfActor(
        query,
        sql`audit_records r WHERE r.organization_id = audit_shown.organization_id AND r.id = record_id`,
        "actor_id"
      )
    ])}
    ORDER BY at DESC, record_id DESC
    LIMIT ${limit}
  `

  // The same of entries, without a subject, or with one.
  const entriesOfAction = (query: AuditQuery, limit: number) => sql`
    SELECT at, id, month FROM audit_entries
    WHERE ${sql.and([ofOrganization, ofAction, ...conditionsOnEntry(query, sql.literal("id"))])}
    ORDER BY id DESC
    LIMIT ${limit}
  `
  const entriesOfSubject = (query: AuditQuery, limit: number) => sql`
    SELECT action, at, id, month FROM audit_entries
    WHERE ${sql.and([
      ofOrganization,
      ...conditionsOnSubject(query),
      ...conditionsOnActor(query, "actor_uuid"),
      ...ofOneAction(query),
      ...conditionsOnWeek(query),
      ...conditionsOnEntry(query, sql.literal("id"))
    ])}
    ORDER BY ${week} DESC, id DESC
    LIMIT ${limit}
  `
  const listsOfSubject = (query: AuditQuery, limit: number) => sql`
    SELECT action, at, entry_id AS id, month FROM audit_entry_cases
    WHERE ${sql.and([
      ofOrganization,
      ...conditionsOnSubject(query),
      ...ofOneAction(query),
      ...conditionsOnWeek(query),
      ...conditionsOnEntry(query, sql.literal("entry_id")),
      ...isFirst(query),
      ...listsOfActor(
        query,
        sql`
          audit_entries e WHERE e.organization_id = audit_entry_cases.organization_id
            AND e.action = audit_entry_cases.action AND e.id = entry_id AND e.month = audit_entry_cases.month
        `,
        "actor_uuid"
      )
    ])}
    ORDER BY ${week} DESC, entry_id DESC
    LIMIT ${limit}
  `

  const waitingRecords = (query: AuditQuery, limit: number) => {
    const subject = conditionsOnSubject(query)
    const isOfSubject =
      subject.length === 0
        ? []
        : [
            sql`(${sql.and(subject)} OR EXISTS (
              SELECT FROM unnest(shown_case_ids, shown_user_ids) AS list (case_id, user_id) WHERE ${sql.and(subject)}
            ))`
          ]
    return sql`
      SELECT action, at, id, NULL::integer AS month FROM audit_waiting
      WHERE ${sql.and([
        ofOrganization,
        ...isOfSubject,
        ...conditionsOnActor(query, "actor_id"),
        ...ofOneAction(query),
        ...conditionsOnTime(query, sql.literal("id")),
        isReadable(sql),
        // It was moved to the database twice, and has its link.
        sql`NOT EXISTS (
          SELECT FROM audit_entries e
          WHERE e.organization_id = audit_waiting.organization_id AND e.action = audit_waiting.action
            AND e.id = audit_waiting.id
        )`
      ])}
      ORDER BY at DESC, id DESC
      LIMIT ${limit}
    `
  }

  return { recordsOfVersion1, listsOfVersion1, entriesOfAction, entriesOfSubject, listsOfSubject, waitingRecords }
}
