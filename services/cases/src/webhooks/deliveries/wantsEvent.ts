import type { SqlClient } from "effect/sql"

// A condition of SQL, because the relay stores the deliveries of a batch in one statement (`RelayRepo.place`), and a replay shall choose
// the same events.
/** Returns the SQL condition that the row `endpoint` wants the event of a case in the row `event`. */
export const wantsEvent = (sql: SqlClient.SqlClient, event: string) =>
  sql.literal(`
    (endpoint.event_types IS NULL OR ${event}.type = ANY(endpoint.event_types))
    AND (NOT ${event}.is_test OR endpoint.includes_test_cases)
  `)
