import { OutsideTransaction } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Gives stored test events the name `ping`, a thousand at a time. */
export default new OutsideTransaction(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rename = (table: string, column: string) => sql<{ id: string }>`
      WITH old AS (
        SELECT organization_id, id FROM ${sql(table)} WHERE ${sql(column)} = 'webhook.test' LIMIT 1000
      )
      UPDATE ${sql(table)} AS renamed SET ${sql(column)} = 'ping' FROM old
      WHERE renamed.organization_id = old.organization_id AND renamed.id = old.id
      RETURNING renamed.id
    `
    const choices = sql<{ id: string }>`
      WITH old AS (
        SELECT organization_id, id FROM webhook_endpoints WHERE 'webhook.test' = ANY(event_types) LIMIT 1000
      )
      UPDATE webhook_endpoints AS renamed SET event_types = array_replace(event_types, 'webhook.test', 'ping') FROM old
      WHERE renamed.organization_id = old.organization_id AND renamed.id = old.id
      RETURNING renamed.id
    `
    const renames = [
      rename("own_events", "type"),
      rename("monthly_events", "type"),
      rename("webhook_deliveries", "event_type"),
      choices
    ]
    for (const next of renames) {
      while ((yield* next).length > 0);
    }
  })
)
