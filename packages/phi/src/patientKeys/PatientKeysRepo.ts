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

/**
 * The data key of the patient `userId` of a row of a statement, as JSON: the column `patient_key` of a statement that is to
 * bring along what opens its rows. Both are SQL, with the name of their table.
 */
export const patientKeyJson = (organizationId: string, userId: string): string =>
  keyJson(organizationId, `k.user_id = ${userId}`)

/** The same of the key that sealed bytes: their first byte says how long its id is, which follows. */
export const patientKeyOfBytes = (organizationId: string, bytes: string): string =>
  keyJson(organizationId, `k.id = encode(substring(${bytes} FROM 2 FOR ${patientKeyIdLength}), 'escape')`)

/** SQL of the data keys of patients. One of whom nothing is kept here may have none. */
export const makePatientKeysRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal("organization_id, user_id, id, wrapped")

  /** Nothing is stored, and no row returned, when the patient has a key, or was erased. */
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

    /** The key if it is not destroyed, which it is not until the transaction ends. */
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

    /** Destroys the key of a patient, and leaves none to be made, whether or not there was one. False when it was done before. */
    destroy: (organizationId: OrganizationId, userId: UserId, erasedAt: Date) =>
      affects(sql`
        INSERT INTO patient_keys ${sql.insert({ organizationId, userId, id: newPatientKeyId(), wrapped: null, erasedAt })}
        ON CONFLICT (organization_id, user_id) DO UPDATE SET wrapped = NULL, erased_at = excluded.erased_at
        WHERE patient_keys.wrapped IS NOT NULL
        RETURNING id
      `)
  }
})
