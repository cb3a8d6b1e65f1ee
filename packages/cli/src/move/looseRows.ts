import type { ServiceName } from "@care/domain/peers"
import { Effect } from "effect"
import type { ServiceMove } from "./copyRows.ts"

interface NamedMove extends ServiceMove {
  readonly name: ServiceName
}

interface LooseRows {
  /** The query of the ids of what they are about. */
  readonly ids: string
  /** Their tables, each with the condition for rows about these ids. */
  readonly tables: Readonly<Record<string, string>>
}

// Rows that name no organization, but what they are about does: events of providers, and intents that came from a checkout of the partner.
// A meeting that was moved to another time has another id, and reports of both.
const looseRows: Partial<Record<ServiceName, LooseRows>> = {
  payments: {
    ids: `
      SELECT id FROM payments.payment_intents WHERE organization_id = $1::uuid
      UNION SELECT intent_id FROM payments.payments WHERE organization_id = $1::uuid AND intent_id IS NOT NULL
    `,
    tables: {
      "payments.payment_events": "intent_id = ANY($1::text[])",
      "payments.payment_intents": "organization_id IS NULL AND id = ANY($1::text[])"
    }
  },
  scheduling: {
    ids: `
      WITH RECURSIVE meetings (id) AS (
        SELECT agent_event_id FROM scheduling.calendar_events
        WHERE organization_id = $1::uuid AND agent_event_id IS NOT NULL
        UNION
        SELECT named.id FROM meetings
        JOIN scheduling.provider_events AS event ON event.agent_event_id = meetings.id OR event.moved_from = meetings.id
        CROSS JOIN LATERAL (VALUES (event.agent_event_id), (event.moved_from)) AS named (id)
        WHERE named.id IS NOT NULL
      )
      SELECT id FROM meetings
    `,
    tables: { "scheduling.provider_events": "agent_event_id = ANY($1::text[])" }
  }
}

/** Does something for each table with loose rows. The effect gets its name, its condition, and the ids of what they are about. */
const forLooseRows = Effect.fnUntraced(function* <A, E>(
  { name, source }: NamedMove,
  organizationId: string,
  effect: (table: string, condition: string, ids: ReadonlyArray<string>) => Effect.Effect<A, E>
) {
  const loose = looseRows[name]
  if (loose === undefined) return
  const ids = (yield* source.unsafe<{ id: string }>(loose.ids, [organizationId])).map(({ id }) => id)
  for (const [table, condition] of Object.entries(loose.tables)) yield* effect(table, condition, ids)
}, Effect.orDie)

/** Copies the loose rows of an organization, in the place of those that the other cell has about the same. */
export const copyLooseRows = (service: NamedMove, organizationId: string) =>
  forLooseRows(
    service,
    organizationId,
    Effect.fnUntraced(function* (table, condition, ids) {
      const { source, target } = service
      // What the other cell was told as well, and did not know what it is about.
      yield* target.unsafe(`DELETE FROM ${table} WHERE ${condition}`, [ids])
      const [found] = yield* source.unsafe<{ rows: string }>(
        `SELECT coalesce(jsonb_agg(to_jsonb(whole_row)), '[]')::text AS rows FROM ${table} AS whole_row WHERE ${condition}`,
        [ids]
      )
      yield* target.unsafe(
        `INSERT INTO ${table} SELECT row.* FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb) AS row ON CONFLICT DO NOTHING`,
        [found?.rows ?? "[]"]
      )
    })
  )

/** Removes them from the old cell. */
export const removeLooseRows = (service: NamedMove, organizationId: string) =>
  forLooseRows(service, organizationId, (table, condition, ids) =>
    service.source.unsafe(`DELETE FROM ${table} WHERE ${condition}`, [ids])
  )
