import { randomUUID } from "node:crypto"
import type pg from "pg"
import { inTransaction } from "./inTransaction.ts"
import type { PeerAudit, PeerProvenance } from "./makeAudit.ts"
import type { NewCaseBody } from "./NewCaseBody.ts"

interface Known {
  readonly id: string
  readonly role: string
  readonly is_phone_taken: boolean
}

/** The refusal of a case creation whose patient cannot be enrolled. */
export class EnrollmentRefused extends Error {}

const insert = `
  INSERT INTO auth.users (
    organization_id, id, email, first_name, last_name, role, phone_number, dob, gender, language_preferences,
    address, address2, city, state, country, postal_code, created_at, updated_at
  )
  VALUES ($1, $2, $3, $4, $5, 'USER', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)
  ON CONFLICT (organization_id, email) WHERE deleted_at IS NULL DO NOTHING
`
const find = `
  SELECT id, role, EXISTS (
    SELECT FROM auth.users other
    WHERE other.organization_id = $1 AND other.phone_number = $3 AND other.deleted_at IS NULL AND other.id <> u.id
  ) AS is_phone_taken
  FROM auth.users u WHERE organization_id = $1 AND email = $2 AND deleted_at IS NULL
`
const phoneTaken = "user.phoneNumber, belongs to another user"

const isPhoneTaken = (error: unknown): boolean =>
  error instanceof Error && "constraint" in error && error.constraint === "users_phone_number"

/** Finds or creates the organization's patient with an email, and returns the id. */
export const enrollPatient = async (
  pool: pg.Pool,
  audit: PeerAudit,
  provenance: PeerProvenance,
  user: NewCaseBody["user"],
  now: Date
): Promise<string> => {
  const organizationId = provenance.organization_id
  const id = randomUUID()
  const email = user.email.trim().toLowerCase()
  const { addressLine1, addressLine2, city, country, postalCode, state } = user.shippingAddress ?? {}
  const values = [
    ...[organizationId, id, email, user.firstName, user.lastName, user.phoneNumber, user.dob, user.gender],
    ...[user.languagePreferences, addressLine1, addressLine2, city, state, country, postalCode, now]
  ]
  const isNew = await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query({ name: "insertPatient", text: insert, values })
    if (rowCount === 0) return false
    await audit.changed(client, {
      ...provenance,
      action: "PATIENT_ENROLLED",
      case_id: null,
      user_id: id,
      kinds: ["PROFILE"]
    })
    return true
  }).catch((error: unknown) => {
    throw isPhoneTaken(error) ? new EnrollmentRefused(phoneTaken) : error
  })
  if (isNew) return id

  const { rows } = await pool.query<Known>({
    name: "findPatient",
    text: find,
    values: [organizationId, email, user.phoneNumber]
  })
  const [existing] = rows
  // The former user with this email was deleted meanwhile.
  if (existing === undefined) return enrollPatient(pool, audit, provenance, user, now)
  if (existing.role !== "USER") {
    throw new EnrollmentRefused("user.email, belongs to a member of staff of the organization")
  }
  if (existing.is_phone_taken) throw new EnrollmentRefused(phoneTaken)
  return existing.id
}
