import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** `text` is sealed. Comments and internal notes (`is_restricted`) are read apart: many of one kind do not hide the other. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE comments (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      case_id uuid NOT NULL,
      author_id uuid NOT NULL,
      text text NOT NULL,
      is_restricted boolean NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX comments_by_kind ON comments (organization_id, case_id, is_restricted, created_at, id)`
})
