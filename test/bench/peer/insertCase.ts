import { randomBytes, randomUUID } from "node:crypto"
import type pg from "pg"
import { insertActivity } from "./insertActivity.ts"
import { insertKey } from "./insertKey.ts"
import type { PeerAudit, PeerProvenance } from "./makeAudit.ts"
import type { makeCipher } from "./makeCipher.ts"
import type { NewCaseBody } from "./NewCaseBody.ts"

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const makeShortId = () => Array.from(randomBytes(8), (byte) => alphabet[byte % 32]).join("")

const insertRow = `
  INSERT INTO cases.cases (
    organization_id, id, short_id, user_id, title, status, type, is_test, is_sole, created_at, updated_at
  )
  SELECT $1::uuid, $2::uuid, $3, $4::uuid, $5, 'OPEN', $6, $7::boolean, $8::boolean, $9::timestamptz, $9::timestamptz
  WHERE NOT $8::boolean OR NOT EXISTS (
    SELECT FROM cases.cases
    WHERE organization_id = $1::uuid AND user_id = $4::uuid AND NOT is_archived
      AND status IN ('OPEN', 'ASSIGNED', 'IN_PROGRESS')
  )
`
const insertProduct =
  "INSERT INTO cases.case_products (organization_id, case_id, index, product_id, visit_type) VALUES ($1, $2, $3, $4, $5)"
const insertResponse = `
  INSERT INTO cases.form_responses (organization_id, id, case_id, product_id, title, content, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
`
const insertAddress =
  "INSERT INTO cases.case_addresses (organization_id, case_id, shipping_address, reported_at) VALUES ($1, $2, $3, $4)"
const insertJobs =
  "INSERT INTO peer.jobs (organization_id, case_id, kind, request_id) VALUES ($1, $2, 'ASSIGNMENT', $3), ($1, $2, 'CASE_OPENED', $3)"

/** A case to be stored, of an existing patient. `names` are the names of its products by id. */
interface CaseToInsert {
  readonly provenance: PeerProvenance
  readonly userId: string
  readonly body: NewCaseBody
  readonly names: ReadonlyMap<string, string>
  readonly now: Date
}

/**
 * Stores a case with its products and answers, and the jobs that assign it and notify its patient. Returns its id, or undefined if it must be
 * the patient's only active case and is not; then nothing is stored. Must run in a transaction.
 */
export const insertCase = async (
  client: pg.PoolClient,
  cipher: ReturnType<typeof makeCipher>,
  audit: PeerAudit,
  { body, provenance, names, now, userId }: CaseToInsert
): Promise<string | undefined> => {
  const organizationId = provenance.organization_id
  const { forceCreate = false, isTest = false, products } = body
  const id = randomUUID()
  const [first] = products
  const title = names.get(first?.id ?? "")
  const type = first?.visitType ?? "ASYNC_TEXT_EMAIL"
  const values = [organizationId, id, makeShortId(), userId, title, type, isTest, !forceCreate, now]
  const inserted = await client.query({ name: "insertCase", text: insertRow, values })
  if (inserted.rowCount === 0) return undefined

  const patient = cipher.ofPatient(
    organizationId,
    await insertKey(client, organizationId, cipher.newKey(organizationId, userId))
  )
  for (const [index, { form, id: productId, visitType = "ASYNC_TEXT_EMAIL" }] of products.entries()) {
    const product = [organizationId, id, index, productId, visitType]
    await client.query({ name: "insertProduct", text: insertProduct, values: product })
    if (form === undefined) continue
    const questions = (form.questions ?? []).map(
      ({ answer, options, phi = false, question, required = false, type }) => ({
        questionId: null,
        question,
        type,
        required,
        phi,
        options: options ?? [],
        answer
      })
    )
    const responseId = randomUUID()
    const content = { description: form.description ?? null, questions }
    const sealed = patient.seal(content, "form_responses.content", organizationId, responseId)
    const response = [organizationId, responseId, id, productId, form.title ?? names.get(productId), sealed, now]
    await client.query({ name: "insertResponse", text: insertResponse, values: response })
  }
  const { shippingAddress } = body.user
  if (shippingAddress?.["addressLine1"] !== undefined) {
    const parts = ["addressLine1", "addressLine2", "city", "state", "country", "postalCode"]
    const address = Object.fromEntries(parts.map((part) => [part, shippingAddress[part] ?? null]))
    const sealed = patient.seal(address, "case_addresses.shipping_address", organizationId, id)
    await client.query({ name: "insertAddress", text: insertAddress, values: [organizationId, id, sealed, now] })
  }
  await insertActivity(client, {
    organizationId,
    caseId: id,
    sequence: 1,
    type: "CASE_CREATED",
    actorType: "API_KEY",
    actorId: organizationId,
    at: now,
    details: { status: "OPEN" }
  })
  await audit.changed(client, {
    ...provenance,
    action: "CASE_CREATED",
    case_id: id,
    user_id: userId,
    kinds: ["CASES", "FORMS"]
  })
  if (!isTest)
    await client.query({ name: "insertJobs", text: insertJobs, values: [organizationId, id, provenance.request_id] })
  return id
}
