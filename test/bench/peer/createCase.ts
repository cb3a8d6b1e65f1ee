import type { FastifyInstance } from "fastify"
import type pg from "pg"
import { createCaseSchema } from "./createCaseSchema.ts"
import { EnrollmentRefused, enrollPatient } from "./enrollPatient.ts"
import { insertCase } from "./insertCase.ts"
import { inTransaction } from "./inTransaction.ts"
import { intakeProblems } from "./intakeProblems.ts"
import type { PeerAudit } from "./makeAudit.ts"
import type { makeCipher } from "./makeCipher.ts"
import type { NewCaseBody } from "./NewCaseBody.ts"

const schema = {
  body: createCaseSchema,
  response: {
    200: {
      type: "object",
      properties: {
        success: { type: "boolean" },
        data: { type: "object", properties: { caseId: { type: "string" } } }
      }
    }
  }
}

const findProducts = "SELECT id, name FROM cases.products WHERE organization_id = $1 AND id = ANY($2::uuid[])"

const unacceptable = (error: string) => ({ success: false, message: "Validation failed", error })

// The unique index decides between two creations for a patient that run at the same time.
const isSecond = (error: unknown): boolean =>
  error instanceof Error && "constraint" in error && error.constraint === "cases_sole"

/** POST /api/v1/cases. `wake` is called when there are new jobs. */
export const createCase = (
  app: FastifyInstance,
  pool: pg.Pool,
  cipher: ReturnType<typeof makeCipher>,
  audit: PeerAudit,
  wake: () => void
) => {
  app.post<{ Body: NewCaseBody }>("/api/v1/cases", { schema }, async (request, reply) => {
    const organizationId = String(request.headers["x-organization-id"])
    const { body } = request
    const problems = intakeProblems(body)
    if (problems.length > 0) return reply.code(422).send(unacceptable(problems.join("; ")))
    const productIds = body.products.map(({ id }) => id.toLowerCase())
    const found = await pool.query<{ id: string; name: string }>({
      name: "findProducts",
      text: findProducts,
      values: [organizationId, productIds]
    })
    const names = new Map(found.rows.map(({ id, name }) => [id, name]))
    const unknown = productIds.findIndex((id) => !names.has(id))
    if (unknown >= 0) return reply.code(422).send(unacceptable(`products.${unknown}.id, no such product`))

    const now = new Date()
    const provenance = {
      organization_id: organizationId,
      actor_type: "API_KEY",
      actor_id: String(request.headers["x-api-key-id"]),
      request_id: String(request.headers["x-request-id"])
    }
    try {
      const userId = await enrollPatient(pool, audit, provenance, body.user, now)
      const newCase = { provenance, userId, body, names, now }
      const caseId = await inTransaction(pool, (client) => insertCase(client, cipher, audit, newCase))
      if (caseId !== undefined) {
        wake()
        return { success: true, data: { caseId } }
      }
    } catch (error) {
      if (error instanceof EnrollmentRefused) return reply.code(422).send(unacceptable(error.message))
      if (!isSecond(error)) throw error
    }
    const error = "The patient has an open case. Set forceCreate to create another one."
    return reply.code(409).send({ success: false, message: "Case conflict", error })
  })
}
