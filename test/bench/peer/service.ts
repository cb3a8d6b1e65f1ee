import { createCipheriv, randomBytes, randomUUID } from "node:crypto"
import Fastify from "fastify"
import pg from "pg"
import { createCaseSchema } from "./createCaseSchema.ts"

const [port = "", databaseUrl = "", phiKey = ""] = process.argv.slice(2)

interface Question {
  readonly question: string
  readonly answer: string
  readonly type: string
  readonly required?: boolean
  readonly phi?: boolean
  readonly options?: ReadonlyArray<string>
}

interface Body {
  readonly isTest?: boolean
  readonly forceCreate?: boolean
  readonly user: {
    readonly firstName: string
    readonly lastName: string
    readonly email: string
    readonly phoneNumber: string
    readonly dob: string
    readonly gender?: string
    readonly languagePreferences?: ReadonlyArray<string>
    readonly shippingAddress?: Readonly<Record<string, string>>
  }
  readonly products: ReadonlyArray<{
    readonly id: string
    readonly visitType?: string
    readonly form?: {
      readonly title?: string
      readonly description?: string
      readonly questions?: ReadonlyArray<Question>
    }
  }>
}

const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })
const key = Buffer.from(phiKey.split(":")[1] ?? "", "base64")
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const seal = (plain: string): string => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", key, nonce)
  const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()])
  return `k1:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64")}`
}

const app = Fastify()

app.post<{ Body: Body }>("/api/v1/cases", { schema: { body: createCaseSchema } }, async (request, reply) => {
  const organizationId = request.headers["x-organization-id"]
  const { forceCreate = false, isTest = false, products, user } = request.body
  const now = new Date()
  const found = await pool.query<{ id: string; name: string }>(
    "SELECT id, name FROM cases.products WHERE organization_id = $1 AND id = ANY($2::uuid[])",
    [organizationId, products.map(({ id }) => id)]
  )
  const names = new Map(found.rows.map(({ id, name }) => [id, name]))
  const unknown = products.find(({ id }) => !names.has(id))
  if (unknown !== undefined) return reply.code(422).send({ success: false, message: "Validation failed" })

  const address = user.shippingAddress ?? {}
  const created = await pool.query<{ id: string }>(
    `INSERT INTO auth.users (id, email, first_name, last_name, role, phone_number, dob, gender, language_preferences,
       address, address2, city, state, country, postal_code, created_at, updated_at, organization_id)
     VALUES ($1, $2, $3, $4, 'USER', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16)
     ON CONFLICT (organization_id, email) WHERE deleted_at IS NULL DO NOTHING RETURNING id`,
    [
      randomUUID(),
      user.email.trim().toLowerCase(),
      user.firstName,
      user.lastName,
      user.phoneNumber,
      user.dob,
      user.gender,
      user.languagePreferences,
      address["addressLine1"],
      address["addressLine2"],
      address["city"],
      address["state"],
      address["country"],
      address["postalCode"],
      now,
      organizationId
    ]
  )
  const userId =
    created.rows[0]?.id ??
    (
      await pool.query<{ id: string }>(
        "SELECT id FROM auth.users WHERE organization_id = $1 AND email = $2 AND deleted_at IS NULL",
        [organizationId, user.email.trim().toLowerCase()]
      )
    ).rows[0]?.id

  const caseId = randomUUID()
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const inserted = await client.query(
      `INSERT INTO cases.cases (id, short_id, organization_id, user_id, title, status, type, is_test, is_sole, created_at, updated_at)
       SELECT $1, $2, $3::uuid, $4::uuid, $5, 'OPEN', $6, $7, $8, $9, $9
       WHERE NOT $8 OR NOT EXISTS (SELECT FROM cases.cases WHERE organization_id = $3 AND user_id = $4
         AND NOT is_archived AND status IN ('OPEN', 'ASSIGNED', 'IN_PROGRESS'))`,
      [
        caseId,
        Array.from(randomBytes(8), (byte) => alphabet[byte % 32]).join(""),
        organizationId,
        userId,
        names.get(products[0]?.id ?? ""),
        products[0]?.visitType ?? "ASYNC_TEXT_EMAIL",
        isTest,
        !forceCreate,
        now
      ]
    )
    if (inserted.rowCount === 0) {
      await client.query("ROLLBACK")
      return reply.code(409).send({ success: false, message: "Case conflict" })
    }
    for (const [index, product] of products.entries()) {
      await client.query(
        "INSERT INTO cases.case_products (case_id, index, organization_id, product_id, visit_type) VALUES ($1, $2, $3, $4, $5)",
        [caseId, index, organizationId, product.id, product.visitType ?? "ASYNC_TEXT_EMAIL"]
      )
      if (product.form === undefined) continue
      const questions = (product.form.questions ?? []).map((question) => ({
        question: question.question,
        type: question.type,
        required: question.required ?? false,
        phi: question.phi ?? false,
        options: question.options ?? [],
        answer: question.answer
      }))
      await client.query(
        `INSERT INTO cases.form_responses (id, case_id, organization_id, product_id, title, content, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [
          randomUUID(),
          caseId,
          organizationId,
          product.id,
          product.form.title ?? names.get(product.id),
          seal(JSON.stringify({ description: product.form.description, questions })),
          now
        ]
      )
    }
    await client.query("COMMIT")
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
  return { success: true, data: { caseId } }
})

interface Row {
  readonly [column: string]: unknown
}

const detailSchema = { querystring: { type: "object", properties: { caseId: { type: "string", format: "uuid" } } } }

app.get<{ Querystring: { readonly caseId?: string } }>(
  "/api/v1/customer-case-detail",
  { schema: detailSchema },
  async (request, reply) => {
    const { rows } = await pool.query<Row>(
      `SELECT c.*, u.email, u.first_name, u.last_name, u.role, u.phone_number, u.is_active,
              u.created_at AS user_created_at, u.updated_at AS user_updated_at
       FROM cases.cases c JOIN auth.users u ON u.organization_id = c.organization_id AND u.id = c.user_id
       WHERE c.id = $1`,
      [request.query.caseId]
    )
    const row = rows[0]
    const invalid = { success: false, message: "Invalid request" }
    if (row === undefined) {
      return reply.code(404).send({ status: 404, ...invalid, error: "No Case found for provided details!" })
    }
    if (row["organization_id"] !== request.headers["x-organization-id"]) {
      return reply.code(403).send({ status: 403, ...invalid, error: "Permission denied!" })
    }
    return {
      status: 200,
      success: true,
      caseDetail: {
        id: row["id"],
        shortId: row["short_id"],
        createdAt: row["created_at"],
        updatedAt: row["updated_at"],
        title: row["title"],
        status: row["status"],
        type: row["type"],
        submitter: {
          id: row["user_id"],
          email: row["email"],
          firstName: row["first_name"],
          lastName: row["last_name"],
          role: row["role"],
          phoneNumber: row["phone_number"],
          isActive: row["is_active"],
          createdAt: row["user_created_at"],
          updatedAt: row["user_updated_at"]
        },
        assignedTo: row["assigned_to"],
        assignedBy: row["assigned_by"],
        inProgressAt: row["in_progress_at"],
        closedAt: row["closed_at"],
        isArchived: row["is_archived"],
        comments: [],
        notes: [],
        decisions: []
      }
    }
  }
)

await app.listen({ port: Number(port), host: "127.0.0.1" })
process.send?.("ready")
