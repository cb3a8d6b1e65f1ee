import type pg from "pg"
import { makeCipher } from "../peer/makeCipher.ts"
import { caseStatements } from "./caseStatements.ts"
import { sealedColumns } from "./sealedColumns.ts"

const mostRead = 20_000

/** The organization of the seeded cases, with its product and providers. */
interface Seeding {
  readonly organizationId: string
  readonly productId: string
  readonly providerIds: ReadonlyArray<string>
  readonly phiKey: string
}

const prescriber = {
  firstName: "Jane",
  lastName: "Rivera",
  title: "Dr.",
  titleSuffix: "MD",
  email: "jane.rivera@example.com",
  phoneNumber: "",
  npi: "1234567893",
  dea: "",
  address: "",
  address2: null,
  city: "",
  state: "",
  postalCode: "",
  country: null
}

/** Seals the texts of some cases for their rows, in the cases service with the patients' keys, so that they can be opened. */
const sealCases = async (
  client: pg.ClientBase,
  { organizationId, phiKey }: Seeding,
  caseIds: ReadonlyArray<string>
): Promise<void> => {
  const { newKey, ofPatient, seal } = makeCipher(phiKey)
  const patients = await client.query<{ user_id: string }>(
    "SELECT DISTINCT user_id FROM cases.cases WHERE organization_id = $1 AND id = ANY($2::uuid[])",
    [organizationId, caseIds]
  )
  const keys = patients.rows.map(({ user_id }) => newKey(organizationId, user_id))
  await client.query(
    `UPDATE cases.patient_keys stored SET id = new.id, wrapped = new.wrapped
     FROM jsonb_to_recordset($2::jsonb) AS new (user_id uuid, id text, wrapped text)
     WHERE stored.organization_id = $1 AND stored.user_id = new.user_id`,
    [organizationId, JSON.stringify(keys)]
  )
  const sealsOf = new Map(keys.map((key) => [key.user_id, ofPatient(organizationId, key).seal]))
  for (const { column, schema, table, value } of sealedColumns) {
    const { rows } = await client.query<{ id: string; user_id: string }>(
      `SELECT stored.id, c.user_id FROM ${schema}.${table} stored
       JOIN cases.cases c ON c.organization_id = stored.organization_id AND c.id = stored.case_id
       WHERE stored.organization_id = $1 AND stored.case_id = ANY($2::uuid[])`,
      [organizationId, caseIds]
    )
    const sealOf = (userId: string) => (schema === "cases" ? sealsOf.get(userId) : undefined) ?? seal
    const sealed = rows.map(({ id, user_id }) => sealOf(user_id)(value, `${table}.${column}`, organizationId, id))
    await client.query(
      `UPDATE ${schema}.${table} stored SET ${column} = new.sealed FROM unnest($2::uuid[], $3::text[]) AS new (id, sealed)
       WHERE stored.organization_id = $1 AND stored.id = new.id`,
      [organizationId, rows.map(({ id }) => id), sealed]
    )
  }
}

/**
 * Stores the cases from number `first` to `last` with the `statements`, each with its own patient, one second apart, the last one a day ago.
 * Returns the ids of those that can be read. The sealed columns of the others have the usual length, and cannot be opened.
 */
export const seedCases = async (
  client: pg.ClientBase,
  seeding: Seeding,
  [first, last]: readonly [number, number],
  statements: ReadonlyArray<string> = caseStatements
): Promise<ReadonlyArray<string>> => {
  const { organizationId, phiKey, productId, providerIds } = seeding
  const sealed = makeCipher(phiKey).seal("what is said of an average case, in some words", "", "", "")
  // Foreign keys are correct by construction, and checking each would take longer than storing it.
  await client.query("SET session_replication_role = replica")
  await client.query(
    `CREATE TEMP TABLE given AS
     SELECT $1::uuid AS organization_id, $2::uuid AS product_id, $3::text AS sealed, $4::jsonb AS prescriber`,
    [organizationId, productId, sealed, prescriber]
  )
  await client.query(
    `CREATE TEMP TABLE made AS
     SELECT n, ($3::uuid[])[1 + n / 2 % cardinality($3::uuid[])] AS provider_id,
            date_trunc('second', now()) - interval '1 day' - ($2::int - n) * interval '1 second' AS at,
            gen_random_uuid() AS user_id, gen_random_uuid() AS case_id, gen_random_uuid() AS response_id,
            gen_random_uuid() AS comment_id, gen_random_uuid() AS note_id, gen_random_uuid() AS decision_id,
            gen_random_uuid() AS document_id
     FROM generate_series($1::int, $2::int) AS n`,
    [first, last, providerIds]
  )
  for (const statement of statements) await client.query(statement)
  const { rows } = await client.query<{ case_id: string }>(
    `SELECT case_id FROM made ORDER BY random() LIMIT ${mostRead}`
  )
  const caseIds = rows.map(({ case_id }) => case_id)
  await sealCases(client, seeding, caseIds)
  await client.query("DROP TABLE made, given")
  await client.query("SET session_replication_role = DEFAULT")
  await client.query("VACUUM ANALYZE")
  await client.query("CHECKPOINT")
  return caseIds
}
