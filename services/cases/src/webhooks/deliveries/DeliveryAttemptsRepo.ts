import { WebhookDeliveryId, WebhookEventId } from "@care/domain/ids"
import { DeliveryAttempt, WebhookEvent } from "@care/domain/webhooks"
import {
  ofNobody,
  PhiCipher,
  patientKeyJson,
  StoredPatientKey,
  sealed,
  sealedRow,
  sealedRowsOf,
  unwrapPatientKey
} from "@care/phi"
import { execute, inTransaction, rowsOf } from "@care/service-kit"
import type { DeliveryState } from "@care/webhooks"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { patientOfCase } from "../../case/index.ts"
import type { ClaimedQueue } from "./DeliveryQueuesRepo.ts"

/** A stored attempt. The answer to an event of a case is sealed with the key of its patient, because receivers may answer anything. */
export const AttemptRow = sealedRow("webhook_attempts", ["organizationId", "deliveryId", "number"], {
  organizationId: Schema.String,
  deliveryId: WebhookDeliveryId,
  number: Schema.Int,
  at: Schema.Date,
  durationMillis: Schema.Int,
  status: DeliveryAttempt.fields.status,
  failure: DeliveryAttempt.fields.failure,
  answer: sealed(DeliveryAttempt.fields.answer)
})

/**
 * The first pending delivery of a lane, since when the lane is due, how many wait in it, and the key of the patient whose case it is about,
 * if any. `simulatesFailure` while a sandbox has its endpoints fail.
 */
const NextDelivery = Schema.Struct({
  lane: Schema.String,
  waiting: Schema.Int,
  id: WebhookDeliveryId,
  attempts: Schema.Int,
  attemptsLeft: Schema.Int,
  nextAttemptAt: Schema.Date,
  dueAt: Schema.Date,
  eventId: WebhookEventId,
  type: WebhookEvent.fields.type,
  at: Schema.Date,
  data: WebhookEvent.fields.data,
  patientKey: Schema.NullOr(StoredPatientKey),
  isTest: Schema.Boolean,
  simulatesFailure: Schema.Boolean
})
export type NextDelivery = typeof NextDelivery.Type

const nextDeliveries = rowsOf(
  Schema.Union([NextDelivery, Schema.Struct({ lane: Schema.String, waiting: Schema.Int, id: Schema.Null })])
)

const counts = rowsOf(Schema.Struct({ attemptsLeft: Schema.Int }))

/** An attempt that has ended, before it is numbered. */
export type FinishedAttempt = Omit<DeliveryAttempt, "number"> & { readonly at: Date }

/** SQL of attempts: it finds the next deliveries, and stores outcomes as long as the claim holds. */
export const makeDeliveryAttemptsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const attempts = yield* sealedRowsOf(AttemptRow)
  const cipher = yield* PhiCipher
  const patientKey = sql.literal(
    patientKeyJson("delivery.organization_id", patientOfCase("delivery.organization_id", "delivery.case_id"))
  )

  return {
    /**
     * Returns the first pending delivery of each due lane except `except`, whether its own time has come or not. Returns nothing
     * when the claim is lost, or the queue is paused or slowed down.
     */
    next: (queue: ClaimedQueue, except: ReadonlyArray<string>, limit: number, now: Date) =>
      nextDeliveries.all(
        sql`
          SELECT due.lane, due.waiting, first.*
          FROM (
            SELECT lane, waiting, due_at FROM delivery_lanes
            WHERE organization_id = ${queue.organizationId} AND endpoint_id = ${queue.endpointId}
              AND due_at <= ${now} AND lane <> ALL(${except}::uuid[])
              AND EXISTS (
                SELECT FROM delivery_queues
                WHERE organization_id = ${queue.organizationId} AND endpoint_id = ${queue.endpointId}
                  AND claim_id = ${queue.claimId} AND NOT is_paused
                  AND (slowed_until IS NULL OR slowed_until <= ${now})
              )
            ORDER BY due_at LIMIT ${limit}
          ) AS due
          LEFT JOIN LATERAL (
            SELECT delivery.id, delivery.attempts, delivery.attempts_left, delivery.next_attempt_at, due.due_at, delivery.event_id,
                   event.type, event.at, event.data, ${patientKey} AS patient_key,
                   EXISTS (SELECT FROM test_organizations WHERE organization_id = ${queue.organizationId}) AS is_test,
                   EXISTS (
                     SELECT FROM test_organizations
                     WHERE organization_id = ${queue.organizationId}
                       AND webhooks_fail_until > ${now}::timestamptz + ahead_millis * interval '1 millisecond'
                   ) AS simulates_failure
            FROM (
              SELECT * FROM webhook_deliveries
              WHERE organization_id = ${queue.organizationId} AND endpoint_id = ${queue.endpointId}
                AND lane = due.lane AND status = 'PENDING'
              ORDER BY position LIMIT 1
            ) AS delivery
            JOIN monthly_events event ON event.organization_id = delivery.organization_id AND event.id = delivery.event_id
              AND event.created_at = delivery.created_at
          ) AS first ON true
          ORDER BY due.due_at
        `.unprepared
      ),

    /**
     * Makes a lane due when its first pending delivery is: a replay of another delivery made the lane due too early. A replay of the
     * first one at the same moment is seen, or waits for the lock and makes the lane due afterwards.
     */
    postpone: Effect.fnUntraced(function* ({ endpointId, organizationId }: ClaimedQueue, lane: string) {
      yield* execute(sql`
        SELECT lane FROM delivery_lanes
        WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId} AND lane = ${lane}
        FOR NO KEY UPDATE
      `)
      yield* execute(
        sql`
          UPDATE delivery_lanes SET due_at = first.next_attempt_at
          FROM (
            SELECT next_attempt_at FROM webhook_deliveries
            WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId} AND lane = ${lane} AND status = 'PENDING'
            ORDER BY position LIMIT 1
          ) AS first
          WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId} AND lane = ${lane}
        `.unprepared
      )
    }, inTransaction(sql)),

    /** Deletes a lane whose deliveries were all deleted because of their age, unless something was added meanwhile. */
    removeLane: ({ endpointId, organizationId }: ClaimedQueue, lane: string, waiting: number) =>
      execute(sql`
        DELETE FROM delivery_lanes
        WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId} AND lane = ${lane}
          AND waiting = ${waiting}
      `),

    /** Locks a delivery and returns how many attempts are left: it may have been replayed during the attempt. */
    lockAttemptsLeft: ({ organizationId }: ClaimedQueue, { attemptsLeft, id }: NextDelivery) =>
      Effect.map(
        counts.first(sql`
          SELECT attempts_left FROM webhook_deliveries
          WHERE organization_id = ${organizationId} AND id = ${id} AND status = 'PENDING'
          FOR NO KEY UPDATE
        `),
        (row) => Option.getOrElse(row, () => ({ attemptsLeft })).attemptsLeft
      ),

    /** Stores an attempt and the delivery after it. The lane is due at the next attempt, or at once if something else waits in it. */
    store: (
      queue: ClaimedQueue,
      { id, patientKey }: NextDelivery,
      attempt: FinishedAttempt,
      { attempts: number, attemptsLeft, nextAttemptAt, status }: DeliveryState
    ) => {
      const { organizationId } = queue
      const sealer = patientKey === null ? ofNobody : unwrapPatientKey(cipher, patientKey)
      const row = attempts.seal(sealer, { organizationId, deliveryId: id, number, ...attempt })
      return execute(sql`
        WITH ended AS (
          UPDATE webhook_deliveries
          SET attempts = ${number}, attempts_left = ${attemptsLeft}, status = ${status}, next_attempt_at = ${nextAttemptAt}
          WHERE organization_id = ${organizationId} AND id = ${id} AND status = 'PENDING' AND EXISTS (
            SELECT FROM delivery_queues
            WHERE organization_id = ${organizationId} AND endpoint_id = ${queue.endpointId} AND claim_id = ${queue.claimId}
          )
          RETURNING lane
        ),
        noted AS (
          INSERT INTO webhook_attempts (
            organization_id, delivery_id, number, at, duration_millis, status, failure, answer
          )
          SELECT ${organizationId}::uuid, ${id}::uuid, ${number}::integer, ${attempt.at}::timestamptz,
                 ${attempt.durationMillis}::integer, ${attempt.status}::integer, ${attempt.failure}::text, ${row.answer ?? null}::text
          FROM ended
        )
        UPDATE delivery_lanes SET changed_at = ${attempt.at}, ${
          status === "PENDING"
            ? sql`due_at = ${nextAttemptAt}`
            : sql`waiting = waiting - 1, due_at = CASE WHEN waiting > 1 THEN ${attempt.at}::timestamptz END`
        }
        FROM ended
        WHERE organization_id = ${organizationId} AND endpoint_id = ${queue.endpointId} AND delivery_lanes.lane = ended.lane
      `)
    }
  }
})
