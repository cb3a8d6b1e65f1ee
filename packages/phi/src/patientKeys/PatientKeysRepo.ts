import type { OrganizationId, UserId } from "@care/domain/ids"
import { affects, rowsOf } from "@care/service-kit"
import { Effect, Option } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { newPatientKeyId, patientKeyIdLength, StoredPatientKey } from "./PatientKey.ts"

const keys = rowsOf(StoredPatientKey)

const keyJson = (organizationId: string, condition: string): string => `
  (
    SELECT json_build_object('organizationId', k.organization_id, 'userId', k.user_id, 'id', k.id, 'wrapped', k.wrapped)
    FROM patient_keys k WHERE k.organization_id = ${organizationId} AND ${condition}
  )
`

/** Returns the SQL of a patient's data key, for the column `patient_key` of a statement that reads sealed rows. Both parameters are SQL. */
export const patientKeyJson = (organizationId: string, userId: string): string =>
  keyJson(organizationId, `k.user_id = ${userId}`)

/** Returns the SQL of the data key that sealed bytes. Their first byte is the length of the id, which follows. */
export const patientKeyOfBytes = (organizationId: string, bytes: string): string =>
  keyJson(organizationId, `k.id = encode(substring(${bytes} FROM 2 FOR ${patientKeyIdLength}), 'escape')`)

/** SQL of the data keys of patients. A patient without data in this service may have none. */
export const makePatientKeysRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal("organization_id, user_id, id, wrapped")

  /** Stores a new key and returns its row. Does neither if the patient has a key, or was erased. */
  const insert = (key: StoredPatientKey): Statement.Statement<unknown> => sql`
    INSERT INTO patient_keys ${sql.insert({ ...key })}
    ON CONFLICT (organization_id, user_id) DO NOTHING
    RETURNING id
  `

  return {
    insert,

    store: (key: StoredPatientKey) => affects(insert(key)),

    find: (organizationId: OrganizationId, userId: UserId) =>
      keys.first(sql`
        SELECT ${columns} FROM patient_keys WHERE organization_id = ${organizationId} AND user_id = ${userId}
      `),

    /** Returns the key unless it was destroyed, and protects it from that until the transaction ends. */
    held: (organizationId: OrganizationId, id: string) => sql`
      SELECT id FROM patient_keys
      WHERE organization_id = ${organizationId} AND id = ${id} AND wrapped IS NOT NULL
      FOR SHARE
    `,

    findAll: (organizationId: OrganizationId, ids: ReadonlyArray<string>) =>
      keys.all(sql`
        SELECT ${columns} FROM patient_keys WHERE organization_id = ${organizationId} AND id = ANY(${ids}::text[])
      `),

    isErased: (organizationId: OrganizationId, userId: UserId) =>
      Effect.map(
        keys.first(sql`
          SELECT ${columns} FROM patient_keys
          WHERE organization_id = ${organizationId} AND user_id = ${userId} AND wrapped IS NULL
        `),
        Option.isSome
      ),

    /** Returns which patients of an organization were erased. */
    erasedAmong: (organizationId: OrganizationId, userIds: ReadonlyArray<UserId>) =>
      keys.all(sql`
        SELECT ${columns} FROM patient_keys
        WHERE organization_id = ${organizationId} AND user_id = ANY(${userIds}::uuid[]) AND wrapped IS NULL
      `),

    /** Returns all erased patients, of all organizations. */
    allErased: keys.all(sql`SELECT ${columns} FROM patient_keys WHERE wrapped IS NULL`),

    /** Destroys a patient's key, or prevents that one is made. Returns false if that was done before. */
    destroy: (organizationId: OrganizationId, userId: UserId, erasedAt: Date) =>
      affects(sql`
        INSERT INTO patient_keys ${sql.insert({ organizationId, userId, id: newPatientKeyId(), wrapped: null, erasedAt })}
        ON CONFLICT (organization_id, user_id) DO UPDATE SET wrapped = NULL, erased_at = excluded.erased_at
        WHERE patient_keys.wrapped IS NOT NULL
        RETURNING id
      `)
  }
})
