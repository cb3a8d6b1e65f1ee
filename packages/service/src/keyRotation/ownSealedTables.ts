import { checkpointSeals } from "@care/audit"
import { ClaimRow, idempotencySecretPlace } from "@care/once"
import type { SealedTables } from "@care/phi"
import { sealedTable } from "@care/phi"

/** The columns that `PHI_KEY` itself seals in every service: data keys of patients, payloads of jobs, stored answers, the secrets that hash idempotency keys, and checkpoints of the audit. */
export const ownSealedTables: SealedTables = [
  {
    table: "patient_keys",
    column: "wrapped",
    key: { organization_id: "uuid", user_id: "uuid" },
    beside: ["id"],
    placeOf: ({ id, organizationId, userId }) => `patient_keys.wrapped/${JSON.stringify([organizationId, userId, id])}`
  },
  {
    table: "jobs",
    column: "payload",
    isBytes: true,
    key: { id: "uuid" },
    beside: ["queue_name"],
    placeOf: ({ id, queueName }, schema) => `jobs.payload/${JSON.stringify([schema, queueName, id])}`
  },
  sealedTable(ClaimRow, "answer", { organization_id: "uuid", operation: "text", key: "text" }),
  checkpointSeals,
  {
    table: "idempotency_secrets",
    column: "secret",
    key: { id: "integer" },
    placeOf: () => idempotencySecretPlace
  },
  {
    table: "moved_idempotency_secrets",
    column: "secret",
    key: { organization_id: "uuid" },
    placeOf: () => idempotencySecretPlace
  }
]
